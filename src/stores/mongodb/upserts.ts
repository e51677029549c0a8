import type { AnyBulkWriteOperation, Collection, Document } from 'mongodb';
import { findDuplicates } from './failures.js';

export const UNORDERED = { ordered: false } as const;

/**
 * Updates each row whose filter matches, and inserts missing rows. If a row exists but the filter does not match, the
 * server tries an insert and reports a duplicate key: the row is newer, or was inserted concurrently. The server
 * cannot tell which, so the write is repeated without an insert.
 */
export async function upsertEach<D extends Document, O>(
  collection: Collection<D>,
  items: readonly O[],
  write: (one: O, upsert: boolean) => AnyBulkWriteOperation<D>,
): Promise<void> {
  if (items.length === 0) return;
  const bulk = (writes: AnyBulkWriteOperation<D>[]) => collection.bulkWrite(writes, UNORDERED);
  const refused = await findDuplicates(() => bulk(items.map((one) => write(one, true))));
  if (refused.length > 0) await bulk(refused.map((index) => write(items[index]!, false)));
}
