import type { RecordedEvent } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import { describeError } from '../retrier.js';

/**
 * An event that could not be folded into a document, or a range of later events that wait for it: the events of one
 * stream that concern the document, from one revision to another. It holds places in the log, no data of events.
 */
export interface DeadLetter {
  readonly id: string;
  /** The build, for example `products@1#2`. */
  readonly projection: string;
  /** Null when the document could not be determined: then the whole stream is blocked. */
  readonly document: string | null;
  readonly stream: string;
  /** The revision of the event, or of the first event of the range; so are `event`, `position` and `type`. */
  readonly revision: number;
  readonly event: string;
  readonly position: Position;
  readonly type: string;
  readonly to_revision: number;
  readonly to_position: Position;
  /** Number of events. It may be too high after two processes have retried them at the same time. */
  readonly events: number;
  readonly error: string;
  /** Whether this event failed itself and blocks the document; also true for a range that cannot be read. */
  readonly blocking: boolean;
  /** Whether an operator has requested a retry. */
  readonly retry: boolean;
  readonly created_at: string;
}

/** The fields that code without ranges did not store. */
type RangeFields = 'to_revision' | 'to_position' | 'events';

/** A dead letter as any version of the code has stored it. */
export type StoredDeadLetter = Omit<DeadLetter, RangeFields> & Partial<Pick<DeadLetter, RangeFields>>;

export type BlockRef = Pick<DeadLetter, 'projection' | 'document'>;

export type EventPlace = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'position' | 'type'>;

/**
 * Returns whether a group is released. A dead letter that was stored after its blocking dead letter was removed counts
 * as released.
 */
export function isReleased(deadLetters: readonly DeadLetter[]): boolean {
  return deadLetters.every(({ blocking, retry }) => !blocking || retry);
}

export function sortByPosition(deadLetters: readonly DeadLetter[]): DeadLetter[] {
  return deadLetters.toSorted((a, b) => (a.position < b.position ? -1 : 1));
}

/** Returns a dead letter of one event when code without ranges has stored it. */
export function fromStored(stored: StoredDeadLetter): DeadLetter {
  const { revision, position } = stored;
  return { to_revision: revision, to_position: position, events: 1, ...stored };
}

export function blockKeyOf({ document, stream }: Pick<DeadLetter, 'document' | 'stream'>): string {
  return document ?? `stream ${stream}`;
}

export function failureIdOf({ projection, document }: BlockRef, { stream, position }: EventPlace): string {
  return `${projection}:${blockKeyOf({ document, stream })}:${position}`;
}

/** Returns whether the id is that of one event: its row must not contain other events, which a failure would remove. */
export function isOneEvent(deadLetter: DeadLetter): boolean {
  return deadLetter.id === failureIdOf(deadLetter, toFirstPlace(deadLetter));
}

export function createFailure(block: BlockRef, event: EventPlace, error: unknown, createdAt: string): DeadLetter {
  return createDeadLetter(block, event, {
    id: failureIdOf(block, event),
    error: describeError(error),
    blocking: true,
    created_at: createdAt,
  });
}

/**
 * Creates the range of one event. The id contains the first position, so that another process that sets the same events
 * aside stores the same row. The row of a failed event is never replaced by a range that begins with that event.
 */
export function createRange(block: BlockRef, event: EventPlace, createdAt: string): DeadLetter {
  return createDeadLetter(block, event, {
    id: `${failureIdOf(block, event)}:range`,
    error: 'follows an event that failed',
    blocking: false,
    created_at: createdAt,
  });
}

export function extendRange(range: DeadLetter, { revision, position }: EventPlace): DeadLetter {
  return { ...range, to_revision: revision, to_position: position, events: range.events + 1 };
}

/**
 * Returns the range from this event on.
 * @param passed number of its events before that event
 */
export function shortenRange(range: DeadLetter, first: EventPlace, passed: number): DeadLetter {
  const { revision, id: event, position, type } = first;
  return { ...range, revision, event, position, type, events: Math.max(1, range.events - passed) };
}

export function toFirstPlace({ stream, revision, event: id, position, type }: DeadLetter): EventPlace {
  return { stream, revision, id, position, type };
}

function createDeadLetter(
  { projection, document }: BlockRef,
  { stream, revision, id: event, position, type }: EventPlace,
  status: Pick<DeadLetter, 'id' | 'error' | 'blocking' | 'created_at'>,
): DeadLetter {
  const range = { to_revision: revision, to_position: position, events: 1 };
  return { projection, document, stream, revision, event, position, type, ...range, ...status, retry: false };
}
