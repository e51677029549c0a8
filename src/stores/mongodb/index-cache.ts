import type { Collection } from 'mongodb';
import { READ_TIMEOUT } from './connections.js';
import type { DocumentRow } from './documents.js';
import { isMissing } from './failures.js';
import type { IndexFields } from './slices.js';

const MAX_COLLECTIONS = 1_000;

/** Caches the indexes of collections. An index that another process adds later is not seen, which is only slower. */
export class IndexCache {
  private readonly known = new Map<string, readonly IndexFields[]>();

  async list(rows: Collection<DocumentRow>): Promise<readonly IndexFields[]> {
    const cached = this.known.get(rows.collectionName);
    if (cached !== undefined) return cached;
    const indexes = await listIndexes(rows);
    if (this.known.size >= MAX_COLLECTIONS) this.known.clear();
    if (indexes.length > 0) this.known.set(rows.collectionName, indexes);
    return indexes;
  }

  forget(rows: Collection<DocumentRow>): void {
    this.known.delete(rows.collectionName);
  }
}

/** Returns the fields between `live` and the id of each index of a list; none for a missing collection. */
async function listIndexes(rows: Collection<DocumentRow>): Promise<IndexFields[]> {
  try {
    const found = await rows.listIndexes(READ_TIMEOUT).toArray();
    const keys = found.map(({ key }) => Object.keys(key as object));
    return keys.filter(([first]) => first === 'live').map((key) => key.slice(1, -1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
