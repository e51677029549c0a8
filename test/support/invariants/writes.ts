import type { Recorded } from '../../../src/kernel/event.js';

/** What a write would leave in the log: one event of this type, whose data, or whose `requestId`, have this text in a field of this name. */
export interface Trace {
  readonly type: string;
  readonly field: string;
  readonly text: string;
}

/** What a client was told about it. */
export interface Write extends Trace {
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
}

/** I1: an acknowledged write is in the log once, a refused one is absent, an unknown one is there once or not at all. */
export function misrecordedWrites(writes: readonly Write[], log: readonly Recorded[]): string[] {
  const traces = tracesIn(log);
  return writes.flatMap((write) => {
    const times = traces.get(nameOf(write)) ?? 0;
    return isRight(write.outcome, times) ? [] : [`${nameOf(write)}, ${write.outcome}, is in the log ${times} times`];
  });
}

function isRight(outcome: Write['outcome'], times: number): boolean {
  switch (outcome) {
    case 'acknowledged':
      return times === 1;
    case 'refused':
      return times === 0;
    case 'unknown':
      return times <= 1;
  }
}

/** In how many events each trace is. */
function tracesIn(log: readonly Recorded[]): Map<string, number> {
  const traces = new Map<string, number>();
  for (const { type, data, meta } of log) {
    // What a request brought about in the end carries its id too: an attempt at telling of what a replay came to is no second replay.
    const requestId = meta.causationId === meta.requestId ? meta.requestId : null;
    const names = new Set([...textsIn({ data, requestId })].map(([field, text]) => nameOf({ type, field, text })));
    for (const name of names) traces.set(name, (traces.get(name) ?? 0) + 1);
  }
  return traces;
}

function nameOf({ type, field, text }: Trace): string {
  return `${type} with ${field} ${text}`;
}

function* textsIn(value: object): Generator<[field: string, text: string]> {
  for (const [field, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === 'string') yield [field, inner];
    else if (typeof inner === 'object' && inner !== null) yield* textsIn(inner);
  }
}
