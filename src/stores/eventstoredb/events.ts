import type { Meta, NewEvent, RecordedEvent } from '../../kernel/event.js';
import type { StreamFilter } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { isKnown, type LogPosition, toPosition } from './positions.js';

const UTF8 = new TextEncoder();
/** Prefix of the barrier streams of all processes. All other code handles their events like system events. */
export const BARRIER_STREAMS = 'logBarrier-';

/** An event as the client decodes it: its data are bytes or a string when they are not valid JSON. */
export interface RawEvent {
  readonly streamId: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly position?: LogPosition | undefined;
}

/** An event as it is sent: `data` and `metadata` are JSON. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * The event cannot be decoded, or another application has written it to a stream of this service: a retry never
 * helps.
 */
export class MalformedEvent extends Error {
  constructor({ streamId, revision, type }: RawEvent, reason: string) {
    super(`${streamId}: event ${revision} (${type}) has ${reason}`);
    this.name = 'MalformedEvent';
  }
}

/** Encodes an event for an append. */
export function toProposed({ id, type, data, meta }: NewEvent): ProposedEvent {
  return { id, type, data: UTF8.encode(JSON.stringify(data)), metadata: UTF8.encode(JSON.stringify(meta)) };
}

/** @throws MalformedEvent */
export function decodeEvent(event: RawEvent): RecordedEvent {
  if (!isObject(event.data)) throw new MalformedEvent(event, 'no data that can be read as a JSON object');
  return { ...decodeEnvelope(event), data: event.data };
}

/**
 * Decodes an event so that malformed data throw only when they are accessed: readers of other events continue.
 * @throws MalformedEvent
 */
export function decodeLazily(event: RawEvent): RecordedEvent {
  if (isObject(event.data)) return decodeEvent(event);
  return Object.defineProperty(decodeEnvelope(event) as RecordedEvent, 'data', { get: () => decodeEvent(event).data });
}

export function toEventPosition(event: RawEvent): Position {
  if (!isKnown(event.position)) throw new MalformedEvent(event, 'no position; servers from 23.10 on give one');
  return toPosition(event.position);
}

/**
 * Returns whether the event belongs to the store: those of projections, statistics, settings and deletions begin with
 * a dollar.
 */
export function isSystemEvent({ streamId, type }: RawEvent): boolean {
  return streamId.startsWith('$') || type.startsWith('$') || streamId.startsWith(BARRIER_STREAMS);
}

/** Returns whether another application that uses the same store has written the event. */
export function isForeign(event: RawEvent): boolean {
  return !isSystemEvent(event) && !isMeta(event.metadata);
}

export function matches({ streamId }: RawEvent, filter: StreamFilter | undefined): boolean {
  return filter === undefined || filter.prefixes.some((prefix) => streamId.startsWith(prefix));
}

function decodeEnvelope(event: RawEvent): Omit<RecordedEvent, 'data'> {
  const { streamId: stream, id, revision, type, metadata } = event;
  if (!isMeta(metadata)) throw new MalformedEvent(event, 'no metadata of this service');
  return { id, type, meta: metadata, stream, revision: Number(revision), position: toEventPosition(event) };
}

/** Every event of this service has these fields, in all versions. */
function isMeta(metadata: unknown): metadata is Meta {
  if (!isObject(metadata)) return false;
  const { at, commandId, correlationId, actor, v } = metadata as Partial<Meta>;
  return (
    [at, commandId, correlationId].every((text) => typeof text === 'string') && isObject(actor) && typeof v === 'number'
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}
