import type { Recorded } from '../../src/kernel/event.js';
import type { EventStore } from '../../src/kernel/event-store.js';
import { START, type Position } from '../../src/kernel/position.js';

const AT_ONCE = 1_000;

/** Returns every event after a position, in log order. */
export async function wholeLog(store: EventStore, behind: Position = START): Promise<Recorded[]> {
  const log: Recorded[] = [];
  for (let after = behind, more = true; more;) {
    const page = await store.readAll({ after, limit: AT_ONCE });
    log.push(...page.events);
    after = page.next;
    more = !page.caughtUp;
  }
  return log;
}
