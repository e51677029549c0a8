import { streamNameFilter } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import type { EventPage, FollowOptions } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Connection, LogSubscription } from './connection.js';
import { decodeLazily, isForeign, isSystemEvent, type RawEvent, toEventPosition } from './events.js';
import { isPermanent, needsOperator } from './failures.js';
import { READ_ALL_PERMISSION } from './log.js';
import { toStartPosition } from './positions.js';
import { SubscriptionBuffer } from './subscription-buffer.js';

const PAGE_SIZE = 500;

/**
 * Yields the pages of one subscription until it fails; a failed subscription does not recover. The checkpoints of the
 * server are ignored: they run ahead of the received events, and on some servers past events at the end of the log.
 * Every position is that of a received event.
 * @throws the failure of the subscription, unless the signal or a retired link has ended it
 */
export async function* readPages(
  connection: Connection,
  clock: Clock,
  { after, filter, pageSize = PAGE_SIZE, lingerMs = 0 }: FollowOptions,
  signal: AbortSignal,
): AsyncIterable<EventPage> {
  const logSubscription = await subscribe(connection, after, filter?.prefixes);
  const buffer = new SubscriptionBuffer(logSubscription.subscription, clock, pageSize);
  const ends = [signal, logSubscription.retired];
  const isOver = () => ends.some(({ aborted }) => aborted);
  const close = () => buffer.close();
  for (const end of ends) end.addEventListener('abort', close, { once: true });
  if (isOver()) close();
  try {
    let passed = 0;
    for (let next = after; ;) {
      const taken = await buffer.take(lingerMs);
      if (isOver()) return;
      const newest = taken.at(-1);
      if (newest !== undefined) logSubscription.recordPosition(toEventPosition(newest));
      const page = toPage(taken, next, buffer.caughtUp);
      passed += taken.length;
      // Pages with only system events are held back until they are many; reaching the end of the log is reported.
      const hasSystemEventsOnly =
        page.events.length === 0 && page.foreign === undefined && taken.length > 0 && page.caughtUp && !filter;
      if (hasSystemEventsOnly && passed < pageSize) continue;
      passed = 0;
      next = page.next;
      yield page;
    }
  } catch (error) {
    if (isOver()) return;
    if (!isPermanent(error) && !needsOperator(error)) logSubscription.reportFailure();
    throw error;
  } finally {
    for (const end of ends) end.removeEventListener('abort', close);
    buffer.close();
    logSubscription.release();
  }
}

async function subscribe(
  connection: Connection,
  after: Position,
  prefixes: readonly string[] | undefined,
): Promise<LogSubscription> {
  const filter = prefixes && streamNameFilter({ prefixes: [...prefixes] });
  const from = toStartPosition(after);
  const options = { ...connection.callOptions, fromPosition: from, ...(filter && { filter }) };
  return connection.subscribe(after, (client) => client.subscribeToAll(options), READ_ALL_PERMISSION);
}

/**
 * Creates a page that ends at the last event that is not a system event, if there is one: system events do not
 * advance a follower.
 */
function toPage(taken: readonly RawEvent[], before: Position, caughtUp: boolean): EventPage {
  const written = taken.filter((event) => !isSystemEvent(event));
  const events = written.filter((event) => !isForeign(event)).map(decodeLazily);
  const last = written.at(-1) ?? taken.at(-1);
  const foreign = written.length - events.length;
  return {
    events,
    next: last === undefined ? before : toEventPosition(last),
    caughtUp,
    ...(foreign > 0 && { foreign }),
  };
}
