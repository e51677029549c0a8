import { addErrorReporter, type BackgroundWork } from '../../src/kernel/background-errors.js';

export type Report = readonly [what: 'failed' | 'parked' | 'recovered', work: string, message?: string];

/** Records what background work reports in this process, until `stop`. */
export function recordReports(): { readonly list: Report[]; readonly stop: () => void } {
  const list: Report[] = [];
  const stop = addErrorReporter({
    onFailure: (work, error) => list.push(['failed', describe(work), (error as Error).message]),
    onParked: (work, error) => list.push(['parked', describe(work), (error as Error).message]),
    onRecovery: (work) => list.push(['recovered', describe(work)]),
    onStoreUnavailable: () => undefined,
  });
  return { list, stop };
}

function describe({ kind, name, item = '' }: BackgroundWork): string {
  return `${kind} ${name} ${item}`.trim();
}
