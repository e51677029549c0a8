import type { RecordedEvent } from '../../kernel/event.js';
import { START } from '../../kernel/position.js';
import { apply, type Projection, toDocumentIds } from '../../kernel/projection.js';
import type { Row } from '../../kernel/read-models.js';
import { describeError } from '../retrier.js';
import { retryFold } from './retry-fold.js';

/** An event that cannot be folded: a build stops at it. */
export class PoisonEvent extends Error {
  constructor({ stream, revision, type }: RecordedEvent, error: unknown) {
    super(`${stream} at revision ${revision} (${type}): ${describeError(error)}`, { cause: error });
    this.name = 'PoisonEvent';
  }
}

export function emptyRow<D extends object>(id: string): Row<D> {
  return { id, position: START, document: null };
}

/** @throws PoisonEvent */
export function findDocumentIds<D extends object>(projection: Projection<D>, event: RecordedEvent): readonly string[] {
  const ids = retryFold(() => toDocumentIds(projection, event));
  if ('error' in ids) throw new PoisonEvent(event, ids.error);
  return ids.value;
}

/**
 * Returns the row after the event; the same row when the event changes nothing or is already applied.
 * @throws PoisonEvent
 */
export function applyEvent<D extends object>(projection: Projection<D>, row: Row<D>, event: RecordedEvent): Row<D> {
  if (event.position <= row.position) return row;
  const document = retryFold(() => apply(projection, row.document, event));
  if ('error' in document) throw new PoisonEvent(event, document.error);
  return document.value === row.document ? row : { id: row.id, position: event.position, document: document.value };
}
