import { streamNameFilter } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import type { FollowOptions, Page } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Connection, Subscribed } from './connection.js';
import { isForeign, isTheStores, placeOf, recordedOrSpoiled, type RawEvent } from './events.js';
import { isAnswer, isRefusal } from './failures.js';
import { Inflow } from './inflow.js';
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
  const subscribed = subscribe(connection, after, filter?.prefixes);
  const inflow = new Inflow(subscribed.subscription, clock, max);
  const over = AbortSignal.any([signal, subscribed.hangs]);
  over.addEventListener('abort', () => inflow.close(), { once: true });
  try {
    for (let next = after; ;) {
      const taken = await inflow.take(lingerMs);
      if (over.aborted) return;
      const page = pageOfTaken(taken, next, inflow.caughtUp);
      // Of the store's own events nobody needs to hear at once; that the end is reached says at least that it can be.
      if (page.events.length === 0 && page.foreign === undefined && taken.length > 0 && page.caughtUp && !filter) continue;
      next = page.next;
      yield page;
    }
  } catch (error) {
    if (over.aborted) return;
    if (!isAnswer(error) && !isRefusal(error)) subscribed.lost();
    throw error;
  } finally {
    inflow.close();
  }
}

function subscribe(connection: Connection, after: Position, prefixes: readonly string[] | undefined): Subscribed {
  const filter = prefixes && streamNameFilter({ prefixes: [...prefixes] });
  return connection.subscribe((client) =>
    client.subscribeToAll({ ...connection.call, fromPosition: fromPosition(after), ...(filter && { filter }) }),
  );
}

/** Behind the last event that somebody has written, if there is one: what the store adds for itself moves nobody on. */
function pageOfTaken(taken: readonly RawEvent[], before: Position, caughtUp: boolean): Page {
  const written = taken.filter((event) => !isTheStores(event));
  const events = written.filter((event) => !isForeign(event)).map(recordedOrSpoiled);
  const last = written.at(-1) ?? taken.at(-1);
  const foreign = written.length - events.length;
  return { events, next: last === undefined ? before : placeOf(last), caughtUp, ...(foreign > 0 && { foreign }) };
}
