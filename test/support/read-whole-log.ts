import type { RecordedEvent } from '../../src/kernel/event.js';
import type { EventStore } from '../../src/kernel/event-store.js';
import { type Position, START } from '../../src/kernel/position.js';

const PAGE_SIZE = 1_000;

/** Returns every event after a position, in log order. */
export async function readWholeLog(store: EventStore, start: Position = START): Promise<RecordedEvent[]> {
  const log: RecordedEvent[] = [];
  for (let after = start, more = true; more;) {
    const page = await store.readAll({ after, limit: PAGE_SIZE });
    log.push(...page.events);
    after = page.next;
    more = !page.caughtUp;
  }
  return log;
}
