import type { AnyBulkWriteOperation, Collection, Document } from 'mongodb';
import { duplicatesOf } from './failures.js';

export const UNORDERED = { ordered: false } as const;

/**
 * Each write changes what is there if its filter holds, and inserts what is not there. Where something is there and the filter does not
 * hold, the server tries to insert and refuses itself: what is there has come further, or has only just come. Which of both, is asked once
 * more without inserting.
 */
export async function upsertEach<D extends Document, O>(
  collection: Collection<D>,
  ones: readonly O[],
  write: (one: O, upsert: boolean) => AnyBulkWriteOperation<D>,
): Promise<void> {
  const bulk = (of: readonly O[], upsert: boolean) =>
    collection.bulkWrite(
      of.map((one) => write(one, upsert)),
      UNORDERED,
    );
  if (ones.length === 0) return;
  const refused = await duplicatesOf(() => bulk(ones, true));
  if (refused.length > 0)
    await bulk(
      refused.map((index) => ones[index]!),
      false,
    );
}
