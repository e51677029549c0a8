import type { Recorded } from '../kernel/event.js';
import { table } from './table.js';

/** A recorded event as an operator sees it: as it is stored, with what is sealed still sealed. */
export function entryOf(event: Recorded) {
  const { id, type, stream, revision, position, meta } = event;
  const { at, actor, business, mode, correlationId, causationId, requestId, command } = meta;
  const why = { correlation_id: correlationId, causation_id: causationId, request_id: requestId, command };
  return { id, type, stream, revision, position, recorded_at: at, actor, business, mode, ...why, data: dataOf(event) };
}

/** What is there, or why it cannot be read. */
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
