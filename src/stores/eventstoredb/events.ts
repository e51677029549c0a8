import type { NewEvent, RecordedEvent } from '../../kernel/event.js';
import type { StreamFilter } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { createUnreadable, isMeta, MalformedEvent } from '../../kernel/unreadable-event.js';
import { isKnown, type LogPosition, toPosition } from './positions.js';

const UTF8 = new TextEncoder();
/** Prefix of the barrier streams of all processes. All other code handles their events like system events. */
export const BARRIER_STREAMS = 'logBarrier-';
const NO_DATA = 'no data that can be read as a JSON object';

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

/** Encodes an event for an append. */
export function toProposed({ id, type, data, meta }: NewEvent): ProposedEvent {
  return { id, type, data: UTF8.encode(JSON.stringify(data)), metadata: UTF8.encode(JSON.stringify(meta)) };
}

/** @throws MalformedEvent */
export function decodeEvent(event: RawEvent): RecordedEvent {
  if (!isObject(event.data)) throw toMalformed(event, NO_DATA);
  return { ...decodeEnvelope(event), data: event.data };
}

/**
 * Decodes an event so that malformed data throw only when they are accessed: readers of other events continue.
 * @throws MalformedEvent
 */
export function decodeLazily(event: RawEvent): RecordedEvent {
  if (isObject(event.data)) return decodeEvent(event);
  const place = decodeEnvelope(event);
  return createUnreadable(place, () => toMalformed(event, NO_DATA), place.meta);
}

export function toEventPosition(event: RawEvent): Position {
  if (!isKnown(event.position)) throw toMalformed(event, 'no position; servers from 23.10 on give one');
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
  if (!isMeta(metadata)) throw toMalformed(event, 'no metadata of this service');
  return { id, type, meta: metadata, stream, revision: Number(revision), position: toEventPosition(event) };
}

/** The event is damaged, or another application has written it to a stream of this service. */
function toMalformed({ streamId: stream, revision, type }: RawEvent, reason: string): MalformedEvent {
  return new MalformedEvent({ stream, revision: Number(revision), type }, reason);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}
