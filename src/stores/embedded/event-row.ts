import type { RecordedEvent } from '../../kernel/event.js';
import { createUnreadable, isMeta, MalformedEvent } from '../../kernel/unreadable-event.js';
import { toPosition } from './positions.js';

export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, meta';

export interface EventRow {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** Decodes a row. Damaged content throws when it is read: only the documents of this stream are set aside. */
export function decodeEvent(row: EventRow): RecordedEvent {
  const { stream, revision, id, type } = row;
  const position = toPosition(row.position);
  const place = { id, type, stream, revision, position };
  const toError = (reason: string) => () => new MalformedEvent(row, reason, position);
  const meta = parseObject(row.meta);
  if (!isMeta(meta)) return createUnreadable(place, toError('no metadata of this service'));
  const data = parseObject(row.data);
  if (data === null) return createUnreadable(place, toError('data that are not JSON'), meta);
  return { id, type, meta, stream, revision, position, data };
}

/** Returns null for a text that is not a JSON object. */
function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
