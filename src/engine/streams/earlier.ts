import type { Recorded } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type { Streams } from './streams.js';

/** What is looked for is mostly among the latest events. */
const FIRST_PIECE = 25;

/**
 * The latest event of a stream that is the wanted one, for streams whose state remembers its latest entries alone.
 * @param since position of what the event follows from: no event before it is looked at
 */
export async function earlierEvent(
  streams: Streams,
  decider: { readonly category: string },
  id: string,
  since: Position,
  isWanted: (event: Recorded) => boolean,
): Promise<Recorded | null> {
  for await (const event of latestFirst(streams, decider, id)) {
    if (event.position <= since) return null;
    if (isWanted(event)) return event;
  }
  return null;
}

/**
 * Makes an entry of such a stream once, and answers it, whichever run made it. Where the state may have forgotten the entry, the decider
 * does not decide: the stream is searched, and it is asked again, with how many entries there were before the search.
 */
export async function entered<T>(
  enter: (searched: number) => Promise<{ readonly entry: T | undefined; readonly count: number }>,
  search: () => Promise<T | null>,
): Promise<T> {
  for (let searched = 0; ;) {
    const { entry, count } = await enter(searched);
    const found = entry ?? (await search());
    if (found !== null) return found;
    searched = count;
  }
}

/** A few at first, then more at once. */
async function* latestFirst(streams: Streams, decider: { readonly category: string }, id: string): AsyncIterable<Recorded> {
  let from: number | undefined;
  for (let limit = FIRST_PIECE; from !== -1; limit *= 4) {
    let oldest = 0;
    for await (const event of streams.backwards(decider, id, from === undefined ? { limit } : { from, limit })) {
      yield event;
      oldest = event.revision;
    }
    from = oldest - 1;
  }
}
