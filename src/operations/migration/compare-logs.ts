import { isSameJson } from '../../kernel/diff.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { readLog } from '../cli/events/event-log.js';
import type { PortableEvent } from './records.js';

/** Returns whether two events are equal in everything except their positions. */
export function isSameEvent(a: PortableEvent, b: PortableEvent): boolean {
  return isSameJson(withoutPosition(a), withoutPosition(b));
}

function withoutPosition({ id, type, stream, revision, data, meta }: PortableEvent): object {
  return { id, type, stream, revision, data, meta };
}

/** Compares two logs event by event. Returns the number of equal events and the first difference. */
export async function compareLogs(
  one: EventStore,
  other: EventStore,
  onEvent: (event: RecordedEvent) => void,
): Promise<{ readonly events: number; readonly difference: string | null }> {
  const others = readLog(other)[Symbol.asyncIterator]();
  let events = 0;
  for await (const event of readLog(one)) {
    const { done, value } = await others.next();
    if (done || !isSameEvent(event, value))
      return { events, difference: `${event.stream} ${event.revision} (${event.id})` };
    events++;
    onEvent(event);
  }
  const { done, value } = await others.next();
  return { events, difference: done ? null : `${value.stream} ${value.revision} (${value.id})` };
}
