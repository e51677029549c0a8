import { later, START, type Position } from '../../kernel/position.js';
import type { EventStore } from '../../kernel/event-store.js';
import { idsOf, type Projection } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { refolded } from './refolded.js';
import type { Skip } from './skips.js';
import { tried } from './tried.js';

const PAGE_EVENTS = 500;

export interface AnewTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
}

/**
 * Folds documents of a build again from the log, up to `reached` or further, and replaces the stored rows. A late save
 * of rows that were folded before does not replace them.
 * @throws PoisonEvent
 */
export async function foldAnew<D extends object>(
  projection: Projection<D>,
  build: string,
  ids: readonly string[],
  reached: Position,
  tools: AnewTools,
): Promise<void> {
  const { store, readModels } = tools;
  const kept = new Map((await readModels.load(build, ids)).map((row) => [row.id, row.position]));
  const rows = await refolded(projection, ids, [...kept.values()].reduce(later, reached), store);
  for (const row of rows) {
    const before = kept.get(row.id) ?? START;
    const position = [row.position, before, reached].reduce(later);
    const isNothing = position === START;
    const replaced = isNothing || (await readModels.replace(build, { ...row, position }, before));
    if (!replaced) return foldAnew(projection, build, ids, reached, tools);
  }
}

/** Returns the documents that a skip affects; a skip without a document affects all documents of its event. */
export async function documentsOf<D extends object>(
  projection: Projection<D>,
  { document, eventId }: Skip,
  store: EventStore,
): Promise<readonly string[]> {
  if (document !== null) return [document];
  for (let after = START; ;) {
    const { events, next, caughtUp } = await store.readAll({ after, limit: PAGE_EVENTS });
    const skipped = events.find(({ id }) => id === eventId);
    const ids = skipped && tried(() => idsOf(projection, skipped));
    if (ids) return 'value' in ids ? ids.value : [];
    if (caughtUp) return [];
    after = next;
  }
}
