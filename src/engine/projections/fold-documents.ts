import type { EventStore } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { readPages } from '../read-pages.js';
import { applyEvent, emptyRow, findDocumentIds, foldOrNull } from './apply-event.js';
import type { Skip } from './skips.js';

const PAGE_EVENTS = 500;

interface ReplaceTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
}

/**
 * Folds documents from the beginning of the log up to a position. An event whose documents cannot be determined is
 * ignored.
 * @throws PoisonEvent
 */
export async function foldDocuments<D extends object>(
  projection: Projection<D>,
  ids: readonly string[],
  upTo: Position,
  store: EventStore,
): Promise<Row<D>[]> {
  const rows = new Map(ids.map((id) => [id, emptyRow<D>(id)]));
  for await (const { events } of readPages(store, { limit: PAGE_EVENTS, upTo })) {
    for (const event of events.filter(({ position }) => position <= upTo)) {
      for (const id of foldOrNull(() => findDocumentIds(projection, event)) ?? []) {
        const row = rows.get(id);
        if (row !== undefined) rows.set(id, applyEvent(projection, row, event));
      }
    }
  }
  return [...rows.values()];
}

/**
 * Folds documents of a build again from the log, up to `reached` or further, and replaces the stored rows. A late save
 * of rows that were folded before does not replace them.
 * @throws PoisonEvent
 */
export async function replaceDocuments<D extends object>(
  projection: Projection<D>,
  build: string,
  ids: readonly string[],
  reached: Position,
  tools: ReplaceTools,
): Promise<void> {
  const { store, readModels } = tools;
  const kept = new Map((await readModels.load(build, ids)).map((row) => [row.id, row.position]));
  const rows = await foldDocuments(projection, ids, [...kept.values()].reduce(pickLater, reached), store);
  for (const row of rows) {
    const before = kept.get(row.id) ?? START;
    const position = [row.position, before, reached].reduce(pickLater);
    const isNothing = position === START;
    const replaced = isNothing || (await readModels.compareAndSet(build, { ...row, position }, before));
    if (!replaced) return replaceDocuments(projection, build, ids, reached, tools);
  }
}

/** Returns the documents that a skip affects; a skip without a document affects all documents of its event. */
export async function findSkippedDocuments<D extends object>(
  projection: Projection<D>,
  { document, eventId }: Skip,
  store: EventStore,
): Promise<readonly string[]> {
  if (document !== null) return [document];
  for await (const { events } of readPages(store, { limit: PAGE_EVENTS })) {
    const skipped = events.find(({ id }) => id === eventId);
    if (skipped !== undefined) return foldOrNull(() => findDocumentIds(projection, skipped)) ?? [];
  }
  return [];
}
