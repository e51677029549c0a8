import type { Actor, RecordedEvent } from '../../../kernel/event.js';
import { readMeta } from '../../../kernel/unreadable-event.js';
import { formatTable } from '../format.js';

/** Stands for metadata that cannot be read. */
const NO_META = {
  at: null,
  actor: null,
  business: null,
  mode: null,
  correlationId: null,
  causationId: null,
  requestId: null,
  command: null,
};

/** Returns a recorded event as the command line shows it. Encrypted fields stay encrypted. */
export function toEventEntry(event: RecordedEvent) {
  const { id, type, stream, revision, position } = event;
  const { at, actor, business, mode, correlationId, causationId, requestId, command } = readMeta(event) ?? NO_META;
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

export function formatActor(actor: Actor | null): string {
  return actor === null ? '' : `${actor.type} ${actor.id}`;
}

function toCells({ position, recorded_at, type, stream, revision, actor, id }: EventEntry): string[] {
  return [position, recorded_at ?? '', type, stream, String(revision), formatActor(actor), id];
}
