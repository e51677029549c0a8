import type { NewEvent } from '../../kernel/event.js';
import { type ProposedEvent, toProposed } from './events.js';

/** The default limit of a server for one append. */
export const MAX_APPEND_BYTES = 1024 * 1024;
/** The size of one character of an event type, as the server counts. */
const BYTES_PER_CHARACTER = 2;

/** The append exceeds the limit of the server. A retry fails again: the events need several appends. */
export class AppendTooLarge extends Error {
  constructor(stream: string, count: number, bytes: number) {
    super(`${stream}: an append of ${count} events has ${bytes} bytes; the store takes ${MAX_APPEND_BYTES} at once`);
    this.name = 'AppendTooLarge';
  }
}

/** Returns the size of the events as the server counts it. */
export function countBytes(events: readonly ProposedEvent[]): number {
  return events.reduce(
    (sum, { type, data, metadata }) => sum + data.length + metadata.length + BYTES_PER_CHARACTER * type.length,
    0,
  );
}

/**
 * Splits events into chunks that each fit in one append, for imports, which need no atomicity. A larger event gets
 * its own chunk.
 */
export function* splitIntoChunks<E extends NewEvent>(events: Iterable<E>): Iterable<E[]> {
  let [chunk, bytes]: [E[], number] = [[], 0];
  for (const event of events) {
    const more = countBytes([toProposed(event)]);
    if (chunk.length > 0 && bytes + more > MAX_APPEND_BYTES) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(event);
    bytes += more;
  }
  if (chunk.length > 0) yield chunk;
}
