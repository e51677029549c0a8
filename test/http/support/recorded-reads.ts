import type { FindQuery, ReadModels, Where } from '../../../src/kernel/read-models.js';

/** A query for documents. A list and a slice have an order, a count has none. */
export interface RecordedRead {
  readonly collection: string;
  readonly list?: FindQuery;
  readonly slice?: FindQuery;
  readonly count?: Where;
}

/** Records the queries that reach the documents of a service from now on. It reads empty lists too. */
export function recordReads(models: ReadModels): RecordedRead[] {
  const reads: RecordedRead[] = [];
  const find = models.find.bind(models);
  const findUnparsed = models.findUnparsed.bind(models);
  const findSlice = models.findSlice.bind(models);
  const count = models.count.bind(models);
  models.find = (collection, list) => {
    reads.push({ collection, list });
    return find(collection, list);
  };
  models.findUnparsed = (collection, list) => {
    reads.push({ collection, list });
    return findUnparsed(collection, list);
  };
  models.findSlice = (collection, slice) => {
    reads.push({ collection, slice });
    return findSlice(collection, slice);
  };
  models.count = async (collection, where) => {
    reads.push({ collection, count: where });
    return Math.max(1, await count(collection, where));
  };
  return reads;
}
