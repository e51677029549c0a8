import type { Meta, NewEvent, Recorded } from '../../kernel/event.js';
import type { Filter } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { isKnown, positionOf, type LogPosition } from './positions.js';

const UTF8 = new TextEncoder();
/** Of streams in which processes confirm what the log has acknowledged: they are the store's own, to everybody else. */
export const BARRIER_STREAMS = 'logBarrier-';

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

/** An event as it is sent: data and metadata are JSON. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** An event that cannot be read, or lies in a stream of ours without being ours: no repetition helps. */
export class MalformedEvent extends Error {
  constructor({ streamId, revision, type }: RawEvent, lack: string) {
    super(`${streamId}: event ${revision} (${type}) has ${lack}`);
    this.name = 'MalformedEvent';
  }
}

/** As it is sent. */
export function proposed({ id, type, data, meta }: NewEvent): Proposed {
  return { id, type, data: UTF8.encode(JSON.stringify(data)), metadata: UTF8.encode(JSON.stringify(meta)) };
}

/** @throws MalformedEvent */
export function recorded(event: RawEvent): Recorded {
  if (!isObject(event.data)) throw new MalformedEvent(event, 'no data that can be read as a JSON object');
  return { ...placed(event), data: event.data };
}

/** One whose data cannot be read must not stop what reads others: it throws when its data are looked at. @throws MalformedEvent */
export function recordedOrSpoiled(event: RawEvent): Recorded {
  if (isObject(event.data)) return recorded(event);
  return Object.defineProperty(placed(event) as Recorded, 'data', { get: () => recorded(event).data });
}

export function placeOf(event: RawEvent): Position {
  if (!isKnown(event.position)) throw new MalformedEvent(event, 'no position; servers from 23.10 on give one');
  return positionOf(event.position);
}

/** Those of projections, statistics, settings and deletions begin with a dollar. */
export function isTheStores({ streamId, type }: RawEvent): boolean {
  return streamId.startsWith('$') || type.startsWith('$') || streamId.startsWith(BARRIER_STREAMS);
}

/** Somebody else's, who uses the same store. */
export function isForeign(event: RawEvent): boolean {
  return !isTheStores(event) && !isMeta(event.metadata);
}

export function matches({ streamId }: RawEvent, filter: Filter | undefined): boolean {
  return filter === undefined || filter.prefixes.some((prefix) => streamId.startsWith(prefix));
}

function placed(event: RawEvent): Omit<Recorded, 'data'> {
  const { streamId: stream, id, revision, type, metadata } = event;
  if (!isMeta(metadata)) throw new MalformedEvent(event, 'no metadata of this service');
  return { id, type, meta: metadata, stream, revision: Number(revision), position: placeOf(event) };
}

/** Every event of ours has had these from the first on. */
function isMeta(metadata: unknown): metadata is Meta {
  if (!isObject(metadata)) return false;
  const { at, commandId, correlationId, actor, v } = metadata as Partial<Meta>;
  return [at, commandId, correlationId].every((text) => typeof text === 'string') && isObject(actor) && typeof v === 'number';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}
