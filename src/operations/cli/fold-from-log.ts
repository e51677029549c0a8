import type { EventStore } from '../../kernel/event-store.js';
import { apply, type Projection, toDocumentIds } from '../../kernel/projection.js';
import { readLog } from './events/event-log.js';

/**
 * Folds the documents of one category from the log, oldest first. While no engine runs, the read model may lag or be
 * missing.
 */
export async function foldFromLog<D extends object>(
  projection: Projection<D>,
  category: string,
  store: EventStore,
): Promise<D[]> {
  const documents = new Map<string, D | null>();
  for await (const event of readLog(store, { filter: { prefixes: [`${category}-`] } })) {
    for (const id of toDocumentIds(projection, event))
      documents.set(id, apply(projection, documents.get(id) ?? null, event, id));
  }
  return [...documents.values()].filter((document) => document !== null);
}
