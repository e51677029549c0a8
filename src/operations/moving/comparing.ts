import { canonical } from '../../engine/builds/canonical.js';
import type { Recorded } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { eachOf } from '../event-log.js';
import type { MovedEvent } from './belongings.js';

/** In everything but where the store has it. */
export function sameEvent(a: MovedEvent, b: MovedEvent): boolean {
  return canonical(bare(a)) === canonical(bare(b));
}

function bare({ id, type, stream, revision, data, meta }: MovedEvent): object {
  return { id, type, stream, revision, data, meta };
}

/** Holds two logs against each other, event by event. How many there are, and the first that is not the same in both. */
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
