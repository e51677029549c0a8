import type { RecordedEvent } from '../../../kernel/event.js';
import { formatTable } from '../format.js';

/** Returns a recorded event as the command line shows it. Encrypted fields stay encrypted. */
export function toEventEntry(event: RecordedEvent) {
  const { id, type, stream, revision, position, meta } = event;
  const { at, actor, business, mode, correlationId, causationId, requestId, command } = meta;
  const cause = { correlation_id: correlationId, causation_id: causationId, request_id: requestId, command };
  return {
    id,
    type,
    stream,
    revision,
    position,
    recorded_at: at,
    actor,
    business,
    mode,
    ...cause,
    data: readData(event),
  };
}

/** Returns the data of the event, or the reason why the data cannot be read. */
export function readData(event: RecordedEvent): object {
  try {
    return event.data;
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
}

export type EventEntry = ReturnType<typeof toEventEntry>;

export function formatEvents(entries: readonly EventEntry[]): string[] {
  const heads = ['position', 'recorded at', 'type', 'stream', 'revision', 'actor', 'id'];
  return formatTable(heads, entries.map(toCells));
}

function toCells({ position, recorded_at, type, stream, revision, actor, id }: EventEntry): string[] {
  return [position, recorded_at, type, stream, String(revision), `${actor.type} ${actor.id}`, id];
}
