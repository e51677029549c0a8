import type { Meta, RecordedEvent } from './event.js';
import type { Position } from './position.js';

/** A recorded event cannot be decoded: a retry never helps. */
export class MalformedEvent extends Error {
  /** @param reason continues the sentence "the event has …" */
  constructor(
    { stream, revision, type }: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>,
    reason: string,
    position?: Position,
  ) {
    super(
      `${stream}: event ${revision} (${type}) ${position === undefined ? '' : `at position ${position} `}has ${reason}`,
    );
    this.name = 'MalformedEvent';
  }
}

/** Returns whether this is the metadata of an event: every event of the service has these fields, in all versions. */
export function isMeta(value: unknown): value is Meta {
  if (typeof value !== 'object' || value === null) return false;
  const { at, commandId, correlationId, actor, v } = value as Partial<Meta>;
  return (
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    typeof commandId === 'string' &&
    typeof correlationId === 'string' &&
    typeof actor === 'object' &&
    actor !== null &&
    typeof v === 'number'
  );
}

/**
 * Returns an event that keeps its place in a page, and throws when its content is read: so it does not block the rest
 * of the page.
 * @param meta the metadata, when they can be read
 */
export function createUnreadable(
  { id, type, stream, revision, position }: Omit<RecordedEvent, 'data' | 'meta'>,
  toError: () => unknown,
  meta?: Meta,
): RecordedEvent {
  const get = () => {
    throw toError();
  };
  const event = { id, type, stream, revision, position };
  const content = { data: { get }, meta: meta === undefined ? { get } : { value: meta, enumerable: true } };
  return Object.defineProperties(event, content) as unknown as RecordedEvent;
}

/** Returns the metadata of the event, or null when they cannot be decoded. */
export function readMeta<M extends Pick<Meta, 'v'>>(event: { readonly meta?: M }): M | null {
  return readOrNull(() => event.meta) ?? null;
}

/** Reads a part of an event. Returns null when it cannot be decoded. */
export function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedEvent) return null;
    throw error;
  }
}
