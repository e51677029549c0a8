import { isDeepStrictEqual } from 'node:util';
import type { Recorded } from '../../../src/kernel/event.js';

/** I2: revisions without a gap, event ids without a double, positions that rise. One sentence for each breach. */
export function brokenStreams(log: readonly Recorded[]): string[] {
  const next = new Map<string, number>();
  const ids = new Set<string>();
  return log.flatMap((event, i) => {
    const { stream, revision, id, position } = event;
    const expected = next.get(stream) ?? 0;
    next.set(stream, revision + 1);
    const doubled = ids.has(id);
    ids.add(id);
    return [
      ...(revision === expected ? [] : [`${stream} has revision ${revision} where ${expected} should be`]),
      ...(doubled ? [`event ${id} stands in ${stream} a second time`] : []),
      ...(i > 0 && position <= log[i - 1]!.position ? [`position ${position} does not rise`] : []),
    ];
  });
}

/** I2: what has been read once is there for ever, as it was. */
export function changedEvents(before: readonly Recorded[], now: readonly Recorded[]): string[] {
  return before.flatMap((event, i) => (isDeepStrictEqual(event, now[i]) ? [] : [`event ${event.id} at ${event.position} has changed`]));
}
