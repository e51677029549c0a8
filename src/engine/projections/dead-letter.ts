import { extractCategory } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import { describeError } from '../retrier.js';

/**
 * An event that could not be folded into a document, and how far the later events of that document wait for it. It
 * holds places in the log, no data of events.
 */
export interface DeadLetter {
  readonly id: string;
  /** The build, for example `products@1#2`. */
  readonly projection: string;
  /** Null when the document could not be determined: then the whole stream is blocked. */
  readonly document: string | null;
  /** The place of the event that failed. */
  readonly stream: string;
  readonly revision: number;
  readonly event: string;
  readonly position: Position;
  readonly type: string;
  /** Position of the last event that waits, in any stream of these categories. */
  readonly to_position: Position;
  readonly categories: readonly string[];
  /** Number of events, the failed one included. Two processes that set events aside may count some of them twice. */
  readonly events: number;
  readonly error: string;
  /** False when the event itself has been folded, and only later events wait. */
  readonly blocking: boolean;
  /** Whether an operator has requested a retry. */
  readonly retry: boolean;
  readonly created_at: string;
}

/**
 * A dead letter as any version of the code has stored it. Older code stored each event alone, or a range of events of
 * one stream up to `to_revision`. A range blocks when it could not be read: which of its events failed is unknown.
 */
export type StoredDeadLetter = Omit<DeadLetter, WaitingFields> &
  Partial<Pick<DeadLetter, WaitingFields>> & { readonly to_revision?: number };

type WaitingFields = 'to_position' | 'categories' | 'events';

export type BlockRef = Pick<DeadLetter, 'projection' | 'document'>;

export type EventPlace = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'position' | 'type'>;

/** Returns whether the dead letters of one block are released. */
export function isReleased(deadLetters: readonly DeadLetter[]): boolean {
  return deadLetters.every(({ blocking, retry }) => !blocking || retry);
}

export function sortByPosition(deadLetters: readonly DeadLetter[]): DeadLetter[] {
  return deadLetters.toSorted((a, b) => (a.position < b.position ? -1 : 1));
}

export function fromStored({ to_revision, ...stored }: StoredDeadLetter): DeadLetter {
  const blocking = stored.blocking && (to_revision ?? stored.revision) === stored.revision;
  const categories = [extractCategory(stored.stream)];
  return { to_position: stored.position, categories, events: 1, ...stored, blocking };
}

export function blockKeyOf({ document, stream }: Pick<DeadLetter, 'document' | 'stream'>): string {
  return document ?? `stream ${stream}`;
}

export function failureIdOf({ projection, document }: BlockRef, { stream, position }: EventPlace): string {
  return `${projection}:${blockKeyOf({ document, stream })}:${position}`;
}

/** The id contains the position, so that another process that fails at the same event stores the same row. */
export function createFailure(
  { projection, document }: BlockRef,
  event: EventPlace,
  error: unknown,
  createdAt: string,
): DeadLetter {
  const { stream, revision, id, position, type } = event;
  return {
    id: failureIdOf({ projection, document }, event),
    projection,
    document,
    stream,
    revision,
    event: id,
    position,
    type,
    to_position: position,
    categories: [extractCategory(stream)],
    events: 1,
    error: describeError(error),
    blocking: true,
    retry: false,
    created_at: createdAt,
  };
}

export function extend(deadLetter: DeadLetter, { stream, position }: EventPlace): DeadLetter {
  const categories = mergeCategories([deadLetter, { categories: [extractCategory(stream)] }]);
  return { ...deadLetter, to_position: position, categories, events: deadLetter.events + 1 };
}

export function mergeCategories(deadLetters: readonly Pick<DeadLetter, 'categories'>[]): string[] {
  return [...new Set(deadLetters.flatMap(({ categories }) => categories))];
}

/** Returns what waits of a dead letter whose event another process has folded. */
export function toWaiting(deadLetter: DeadLetter): DeadLetter {
  return { ...deadLetter, error: 'follows an event that failed', blocking: false, retry: false };
}

/** Returns the place of the event that failed. */
export function toEventPlace({ stream, revision, event: id, position, type }: DeadLetter): EventPlace {
  return { stream, revision, id, position, type };
}
