import { isDeepStrictEqual } from 'node:util';
import type { RecordedEvent } from '../../../src/kernel/event.js';

/** I2: finds revision gaps, duplicate event ids and positions that do not increase; a sentence for each. */
export function findBrokenStreams(log: readonly RecordedEvent[]): string[] {
  const next = new Map<string, number>();
  const ids = new Set<string>();
  return log.flatMap((event, i) => {
    const { stream, revision, id, position } = event;
    const expected = next.get(stream) ?? 0;
    next.set(stream, revision + 1);
    const doubled = ids.has(id);
    ids.add(id);
    return [
      ...(revision === expected ? [] : [`${stream} has revision ${revision} instead of ${expected}`]),
      ...(doubled ? [`event ${id} is duplicated in ${stream}`] : []),
      ...(i > 0 && position <= log[i - 1]!.position ? [`position ${position} does not increase`] : []),
    ];
  });
}

/** I2: finds events that changed after an earlier read. */
export function findChangedEvents(before: readonly RecordedEvent[], now: readonly RecordedEvent[]): string[] {
  return before.flatMap((event, i) =>
    isDeepStrictEqual(event, now[i]) ? [] : [`event ${event.id} at ${event.position} has changed`],
  );
}
