import type { Recorded } from '../kernel/event.js';
import { table } from './table.js';

/** Returns a recorded event as the command line shows it. Encrypted fields stay encrypted. */
export function entryOf(event: Recorded) {
  const { id, type, stream, revision, position, meta } = event;
  const { at, actor, business, mode, correlationId, causationId, requestId, command } = meta;
  const why = { correlation_id: correlationId, causation_id: causationId, request_id: requestId, command };
  return { id, type, stream, revision, position, recorded_at: at, actor, business, mode, ...why, data: dataOf(event) };
}

/** Returns the data of the event, or the reason why the data cannot be read. */
export function dataOf(event: Recorded): object {
  try {
    return event.data;
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
}

export type EventEntry = ReturnType<typeof entryOf>;

export function entryLines(entries: readonly EventEntry[]): string[] {
  const heads = ['position', 'recorded at', 'type', 'stream', 'revision', 'actor', 'id'];
  return table(heads, entries.map(cellsOf));
}

function cellsOf({ position, recorded_at, type, stream, revision, actor, id }: EventEntry): string[] {
  return [position, recorded_at, type, stream, String(revision), `${actor.type} ${actor.id}`, id];
}
