import type { RecordedEvent } from '../../../src/kernel/event.js';

/** The trace of a write in the log: one event of this type with this text in a field of its data or in `requestId`. */
export interface WriteTrace {
  readonly type: string;
  readonly field: string;
  readonly text: string;
}

/** A write, with the outcome that the client knows. */
export interface Write extends WriteTrace {
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
}

/**
 * I1: finds acknowledged writes that are not exactly once in the log, refused writes that are in the log, and unknown
 * writes that are there twice.
 */
export function findMisrecordedWrites(writes: readonly Write[], log: readonly RecordedEvent[]): string[] {
  const traces = countTraces(log);
  return writes.flatMap((write) => {
    const times = traces.get(describeTrace(write)) ?? 0;
    return isExpectedCount(write.outcome, times)
      ? []
      : [`${describeTrace(write)}, ${write.outcome}, is in the log ${times} times`];
  });
}

function isExpectedCount(outcome: Write['outcome'], times: number): boolean {
  switch (outcome) {
    case 'acknowledged':
      return times === 1;
    case 'refused':
      return times === 0;
    case 'unknown':
      return times <= 1;
  }
}

/** Counts the events of each trace. */
function countTraces(log: readonly RecordedEvent[]): Map<string, number> {
  const traces = new Map<string, number>();
  for (const { type, data, meta } of log) {
    // Later consequences of a request carry its id too, such as the delivery of a replay's outcome. They do not count.
    const requestId = meta.causationId === meta.requestId ? meta.requestId : null;
    const names = new Set(
      [...listTexts({ data, requestId })].map(([field, text]) => describeTrace({ type, field, text })),
    );
    for (const name of names) traces.set(name, (traces.get(name) ?? 0) + 1);
  }
  return traces;
}

function describeTrace({ type, field, text }: WriteTrace): string {
  return `${type} with ${field} ${text}`;
}

function* listTexts(value: object): Generator<[field: string, text: string]> {
  for (const [field, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === 'string') yield [field, inner];
    else if (typeof inner === 'object' && inner !== null) yield* listTexts(inner);
  }
}
