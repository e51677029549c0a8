import { streamNameFilter } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import type { FollowOptions, Page } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Connection, Subscribed } from './connection.js';
import { isForeign, isTheStores, placeOf, recordedOrSpoiled, type RawEvent } from './events.js';
import { isAnswer, isRefusal } from './failures.js';
import { Inflow } from './inflow.js';
import { READING_ALL } from './log.js';
import { fromPosition } from './positions.js';

const PAGE = 500;

/**
 * Yields the pages of one subscription until it fails; a failed subscription does not recover. The checkpoints of the
 * server are ignored: they run ahead of the received events, and on some servers past events at the end of the log.
 * Every position is that of a received event.
 * @throws the failure of the subscription, unless the signal or a retired link has ended it
 */
export async function* pagesOf(
  connection: Connection,
  clock: Clock,
  { after, filter, max = PAGE, lingerMs = 0 }: FollowOptions,
  signal: AbortSignal,
): AsyncIterable<Page> {
  const subscribed = await subscribe(connection, after, filter?.prefixes);
  const inflow = new Inflow(subscribed.subscription, clock, max);
  const ends = [signal, subscribed.left];
  const isOver = () => ends.some(({ aborted }) => aborted);
  const close = () => inflow.close();
  for (const end of ends) end.addEventListener('abort', close, { once: true });
  if (isOver()) close();
  try {
    let passed = 0;
    for (let next = after; ;) {
      const taken = await inflow.take(lingerMs);
      if (isOver()) return;
      const newest = taken.at(-1);
      if (newest !== undefined) subscribed.saw(placeOf(newest));
      const page = pageOfTaken(taken, next, inflow.caughtUp);
      passed += taken.length;
      // Pages with only system events are held back until they are many; reaching the end of the log is reported.
      const isTheStoresOwn = page.events.length === 0 && page.foreign === undefined && taken.length > 0 && page.caughtUp && !filter;
      if (isTheStoresOwn && passed < max) continue;
      passed = 0;
      next = page.next;
      yield page;
    }
  } catch (error) {
    if (isOver()) return;
    if (!isAnswer(error) && !isRefusal(error)) subscribed.lost();
    throw error;
  } finally {
    for (const end of ends) end.removeEventListener('abort', close);
    inflow.close();
    subscribed.ended();
  }
}

async function subscribe(connection: Connection, after: Position, prefixes: readonly string[] | undefined): Promise<Subscribed> {
  const filter = prefixes && streamNameFilter({ prefixes: [...prefixes] });
  const from = fromPosition(after);
  const options = { ...connection.call, fromPosition: from, ...(filter && { filter }) };
  return connection.subscribe(after, (client) => client.subscribeToAll(options), READING_ALL);
}

/**
 * Creates a page that ends at the last event that is not a system event, if there is one: system events do not
 * advance a follower.
 */
function pageOfTaken(taken: readonly RawEvent[], before: Position, caughtUp: boolean): Page {
  const written = taken.filter((event) => !isTheStores(event));
  const events = written.filter((event) => !isForeign(event)).map(recordedOrSpoiled);
  const last = written.at(-1) ?? taken.at(-1);
  const foreign = written.length - events.length;
  return { events, next: last === undefined ? before : placeOf(last), caughtUp, ...(foreign > 0 && { foreign }) };
}
