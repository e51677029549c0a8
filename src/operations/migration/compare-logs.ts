import { isSameJson } from '../../kernel/diff.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { readLog } from '../cli/events/event-log.js';
import { type PortableEvent, withoutPosition } from './records.js';

/** Returns whether two events are equal in everything except their positions. */
export function isSameEvent(a: PortableEvent, b: PortableEvent): boolean {
  return isSameJson(withoutPosition(a), withoutPosition(b));
}

/** Compares a log with that of a store. Returns the number of equal events and the first difference. */
export async function compareLogs(
  log: AsyncIterable<RecordedEvent>,
  other: EventStore,
): Promise<{ readonly events: number; readonly difference: string | null }> {
  const others = readLog(other);
  let events = 0;
  for await (const event of log) {
    const { value } = await others.next();
    if (value === undefined || !isSameEvent(event, value)) return { events, difference: describeEvent(event) };
    events++;
  }
  const { value } = await others.next();
  return { events, difference: value === undefined ? null : describeEvent(value) };
}

function describeEvent({ stream, revision, id }: RecordedEvent): string {
  return `${stream} ${revision} (${id})`;
}
