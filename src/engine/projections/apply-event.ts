import type { RecordedEvent } from '../../kernel/event.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import { apply, type Projection, toDocumentIds } from '../../kernel/projection.js';
import type { Row } from '../../kernel/read-models.js';
import { describeError } from '../retrier.js';

const TRIES = 3;

/** An event that cannot be folded: a build stops at it. */
export class PoisonEvent extends Error {
  constructor(
    readonly event: RecordedEvent,
    error: unknown,
  ) {
    const { stream, revision, type } = event;
    super(`${stream} at revision ${revision} (${type}): ${describeError(error)}`, { cause: error });
    this.name = 'PoisonEvent';
  }
}

export function emptyRow<D extends object>(id: string): Row<D> {
  return { id, position: START, document: null };
}

/** @throws PoisonEvent */
export function findDocumentIds<D extends object>(projection: Projection<D>, event: RecordedEvent): readonly string[] {
  return retryFold(event, () => toDocumentIds(projection, event));
}

/**
 * Returns the row after the event; the same row when the event changes nothing or is already applied.
 * @throws PoisonEvent
 */
export function applyEvent<D extends object>(projection: Projection<D>, row: Row<D>, event: RecordedEvent): Row<D> {
  if (event.position <= row.position) return row;
  const document = retryFold(event, () => apply(projection, row.document, event, row.id));
  return document === row.document ? row : { id: row.id, position: event.position, document };
}

/** Returns the copy that the projection stores of this state of a document, or null. */
export function copyRow<D extends object>(projection: Projection<D>, { document, position }: Row<D>): Row<D> | null {
  const id = document === null ? null : (projection.copyId?.(document) ?? null);
  return id === null ? null : { id, position, document: { ...document!, id } };
}

/** Returns whether the row is a copy: only the fold of the document that it copies creates it. */
export function isCopy<D extends object>(projection: Projection<D>, { id, document }: Row<D>): boolean {
  return document !== null && projection.copyId?.(document) === id;
}

/** Returns null when an event of the work cannot be folded. */
export function foldOrNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof PoisonEvent) return null;
    throw error;
  }
}

/**
 * Runs a function of a projection up to three times.
 * @throws PoisonEvent; StoreUnavailable, which is not an error of the projection: an event of newer code is such a case
 */
function retryFold<T>(event: RecordedEvent, work: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (tries === TRIES) throw new PoisonEvent(event, error);
    }
  }
}
