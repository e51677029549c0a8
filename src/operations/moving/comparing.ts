import { canonical } from '../../engine/builds/canonical.js';
import type { Recorded } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { eachOf } from '../event-log.js';
import type { MovedEvent } from './belongings.js';

/** Returns whether two events are equal in everything except their positions. */
export function sameEvent(a: MovedEvent, b: MovedEvent): boolean {
  return canonical(bare(a)) === canonical(bare(b));
}

function bare({ id, type, stream, revision, data, meta }: MovedEvent): object {
  return { id, type, stream, revision, data, meta };
}

/** Compares two logs event by event. Returns the number of equal events and the first difference. */
export async function compareLogs(
  one: EventStore,
  other: EventStore,
  passed: (event: Recorded) => void,
): Promise<{ readonly events: number; readonly difference: string | null }> {
  const others = eachOf(other)[Symbol.asyncIterator]();
  let events = 0;
  for await (const event of eachOf(one)) {
    const { done, value } = await others.next();
    if (done || !sameEvent(event, value)) return { events, difference: `${event.stream} ${event.revision} (${event.id})` };
    events++;
    passed(event);
  }
  const { done, value } = await others.next();
  return { events, difference: done ? null : `${value.stream} ${value.revision} (${value.id})` };
}
