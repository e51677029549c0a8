import type { NewEvent } from '../../kernel/event.js';
import { proposed, type Proposed } from './events.js';

/** What a server takes in one append unless it is told otherwise. */
export const MAX_APPEND_BYTES = 1024 * 1024;
/** Of an event's type, in the server's count. */
const BYTES_A_CHARACTER = 2;

/** Repeating it is of no use: the events have to go in several appends. */
export class AppendTooLarge extends Error {
  constructor(stream: string, count: number, bytes: number) {
    super(`${stream}: an append of ${count} events has ${bytes} bytes; the store takes ${MAX_APPEND_BYTES} at once`);
    this.name = 'AppendTooLarge';
  }
}

/** As the server counts. */
export function bytesOf(events: readonly Proposed[]): number {
  return events.reduce((sum, { type, data, metadata }) => sum + data.length + metadata.length + BYTES_A_CHARACTER * type.length, 0);
}

/** For imports, which need not be all or nothing: pieces that each fit in one append. An event that is too large is alone. */
export function* inChunks<E extends NewEvent>(events: Iterable<E>): Iterable<E[]> {
  let [chunk, bytes]: [E[], number] = [[], 0];
  for (const event of events) {
    const more = bytesOf([proposed(event)]);
    if (chunk.length > 0 && bytes + more > MAX_APPEND_BYTES) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(event);
    bytes += more;
  }
  if (chunk.length > 0) yield chunk;
}
