import { jsonEvent } from '@eventstore/db-client';
import type { Meta, NewEvent, Recorded } from '../../kernel/event.js';
import type { Filter } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { isKnown, positionOf, type LogPosition } from './positions.js';

const UTF8 = new TextEncoder();

/** An event as the client decodes it: bytes or a string where it could not read JSON. */
export interface RawEvent {
  readonly streamId: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly position?: LogPosition | undefined;
}

/** An event in the log that this service cannot have written. Nobody gets past it before it is out of the way: no repetition helps. */
export class MalformedEvent extends Error {
  constructor({ streamId, revision, type }: RawEvent, lack: string) {
    super(`${streamId}: event ${revision} (${type}) has ${lack}`);
    this.name = 'MalformedEvent';
  }
}

/** As the client takes it. Bytes it takes as they are; the data it has to write itself, or they would not count as JSON. */
export function proposed({ id, type, data, meta }: NewEvent) {
  return jsonEvent({ id, type, data: data as Record<string, unknown>, metadata: UTF8.encode(JSON.stringify(meta)) });
}

/** @throws MalformedEvent */
export function recorded(event: RawEvent): Recorded {
  const { streamId, id, revision, type, data, metadata } = event;
  if (!isObject(data)) throw new MalformedEvent(event, 'no data that can be read as a JSON object');
  if (!isObject(metadata)) throw new MalformedEvent(event, 'no metadata that can be read as a JSON object');
  return { id, type, data, meta: metadata as Meta, stream: streamId, revision: Number(revision), position: placeOf(event) };
}

export function placeOf(event: RawEvent): Position {
  if (!isKnown(event.position)) throw new MalformedEvent(event, 'no position; servers from 23.10 on give one');
  return positionOf(event.position);
}

/** Not the store's own: those of projections, statistics, settings and deletions begin with a dollar. */
export function isOurs({ streamId, type }: RawEvent): boolean {
  return !streamId.startsWith('$') && !type.startsWith('$');
}

export function matches({ streamId }: RawEvent, filter: Filter | undefined): boolean {
  return filter === undefined || filter.prefixes.some((prefix) => streamId.startsWith(prefix));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}
