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
 * What one subscription gives, until it fails; it never comes back by itself. Its checkpoints are not looked at: they run ahead of what
 * has been read, and on some servers past events at the end of the log. A position is that of an event which has been here.
 * @throws how the subscription ended, when neither the signal nor a connection that hangs ended it
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
      // Of the store's own events nobody needs to hear at once, only after many; that the end is reached says at least that it can be.
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

/** Behind the last event that somebody has written, if there is one: what the store adds for itself moves nobody on. */
function pageOfTaken(taken: readonly RawEvent[], before: Position, caughtUp: boolean): Page {
  const written = taken.filter((event) => !isTheStores(event));
  const events = written.filter((event) => !isForeign(event)).map(recordedOrSpoiled);
  const last = written.at(-1) ?? taken.at(-1);
  const foreign = written.length - events.length;
  return { events, next: last === undefined ? before : placeOf(last), caughtUp, ...(foreign > 0 && { foreign }) };
}
