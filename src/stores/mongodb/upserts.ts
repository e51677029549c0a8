import type { AnyBulkWriteOperation, Collection, Document } from 'mongodb';
import { duplicatesOf } from './failures.js';

export const UNORDERED = { ordered: false } as const;

/**
 * Each write changes what is there if its filter holds, and inserts what is not there. Where something is there and the filter does not
 * hold, the server tries to insert and refuses itself: what is there has come further, or has only just come. It cannot say which, so
 * the write is repeated without inserting.
 */
export async function upsertEach<D extends Document, O>(
  collection: Collection<D>,
  ones: readonly O[],
  write: (one: O, upsert: boolean) => AnyBulkWriteOperation<D>,
): Promise<void> {
  if (ones.length === 0) return;
  const bulk = (writes: AnyBulkWriteOperation<D>[]) => collection.bulkWrite(writes, UNORDERED);
  const refused = await duplicatesOf(() => bulk(ones.map((one) => write(one, true))));
  if (refused.length > 0) await bulk(refused.map((index) => write(ones[index]!, false)));
}
