import type { Meta, RecordedEvent } from '../../kernel/event.js';
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

export function decodeEvent({ position, stream, revision, id, type, data, meta }: EventRow): RecordedEvent {
  return {
    id,
    type,
    data: JSON.parse(data) as object,
    meta: JSON.parse(meta) as Meta,
    stream,
    revision,
    position: toPosition(position),
  };
}
