import type { RecordedEvent } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import { type Projection, toDocumentIds } from '../../kernel/projection.js';
import type { Row } from '../../kernel/read-models.js';
import { applyEvent, emptyRow } from './apply-event.js';
import { retryFold } from './retry-fold.js';

const PAGE_EVENTS = 500;

/**
 * Folds documents from the beginning of the log up to a position. An event whose documents cannot be determined is
 * ignored.
 */
export async function rebuildDocuments<D extends object>(
  projection: Projection<D>,
  ids: readonly string[],
  upTo: Position,
  store: EventStore,
): Promise<Row<D>[]> {
  const rows = new Map(ids.map((id) => [id, emptyRow<D>(id)]));
  for (let after = START; after < upTo;) {
    const { events, next, caughtUp } = await store.readAll({ after, limit: PAGE_EVENTS });
    for (const event of events) if (event.position <= upTo) foldInto(rows, projection, event);
    after = caughtUp ? pickLater(next, upTo) : next;
  }
  return [...rows.values()];
}

function foldInto<D extends object>(rows: Map<string, Row<D>>, projection: Projection<D>, event: RecordedEvent): void {
  const ids = retryFold(() => toDocumentIds(projection, event));
  for (const id of 'value' in ids ? ids.value : []) {
    const row = rows.get(id);
    if (row !== undefined) rows.set(id, applyEvent(projection, row, event));
  }
}
