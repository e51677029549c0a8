import type { Recorded } from '../../kernel/event.js';
import type { Streams } from './streams.js';

/** By how much the clocks of two processes may differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/**
 * The latest event of a stream that is the wanted one, for streams whose state remembers its latest entries alone.
 * @param since what the event followed from was recorded then, so that no older one is looked at; null: it is among the latest
 */
export async function earlierEvent(
  streams: Streams,
  decider: { readonly category: string },
  id: string,
  since: string | null,
  isWanted: (event: Recorded) => boolean,
): Promise<Recorded | null> {
  const oldest = since === null ? -Infinity : Date.parse(since) - CLOCKS_DIFFER_MS;
  for await (const event of streams.backwards(decider, id)) {
    if (isWanted(event)) return event;
    if (Date.parse(event.meta.at) < oldest) return null;
  }
  return null;
}
