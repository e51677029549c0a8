import type { Recorded } from '../../kernel/event.js';
import { START } from '../../kernel/position.js';
import { apply, idsOf, type Projection } from '../../kernel/projection.js';
import type { Row } from '../../kernel/read-models.js';
import { messageOf } from '../patience.js';
import { tried } from './tried.js';

/** An event that cannot be folded: a build stops at it. */
export class Poison extends Error {
  constructor({ stream, revision, type }: Recorded, error: unknown) {
    super(`${stream} at revision ${revision} (${type}): ${messageOf(error)}`, { cause: error });
    this.name = 'Poison';
  }
}

export function noRow<D extends object>(id: string): Row<D> {
  return { id, position: START, document: null };
}

/** @throws PoisonEvent */
export function touchedBy<D extends object>(projection: Projection<D>, event: Recorded): readonly string[] {
  const ids = tried(() => idsOf(projection, event));
  if ('error' in ids) throw new Poison(event, ids.error);
  return ids.value;
}

/**
 * Returns the row after the event; the same row when the event changes nothing or is already applied.
 * @throws PoisonEvent
 */
export function foldedInto<D extends object>(projection: Projection<D>, row: Row<D>, event: Recorded): Row<D> {
  if (event.position <= row.position) return row;
  const document = tried(() => apply(projection, row.document, event));
  if ('error' in document) throw new Poison(event, document.error);
  return document.value === row.document ? row : { id: row.id, position: event.position, document: document.value };
}
