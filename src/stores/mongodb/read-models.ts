import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { type Position, START } from '../../kernel/position.js';
import {
  type CollectionSchema,
  type FindQuery,
  ReadModels,
  type Row,
  type Slice,
  type Where,
} from '../../kernel/read-models.js';
import type { CheckpointRow } from './checkpoints.js';
import { collectionNameOf, listCountedGroups, toIndexes, TOMBSTONES } from './collections.js';
import { type MongoConnections, READ_TIMEOUT } from './connections.js';
import { decodeDocument, type DocumentRow, toDocumentRow, toRow } from './documents.js';
import { dropIfPresent, insertIfAbsent, translateOutages } from './failures.js';
import { GroupSizes } from './group-sizes.js';
import { IndexCache } from './index-cache.js';
import { toListQueries } from './query.js';
import type { StoreTime } from './server-time.js';
import { readSlice } from './slices.js';
import { upsertEach } from './upserts.js';

export class MongoReadModels extends ReadModels {
  private readonly checkpoints: Collection<CheckpointRow>;
  private readonly sizes: GroupSizes;
  private readonly indexes = new IndexCache();

  private readonly db: Db;

  constructor(
    private readonly connections: MongoConnections,
    time: StoreTime,
  ) {
    super();
    const { db } = connections;
    this.db = db;
    this.checkpoints = db.collection('checkpoints');
    this.sizes = new GroupSizes(db, time);
  }

  /** The server creates a collection with its first row or index. */
  async ensureCollection(
    collection: string,
    shape: CollectionSchema,
    { bulk = false }: { readonly bulk?: boolean } = {},
  ): Promise<void> {
    const { longRunning, indexOptions } = this.connections;
    if (!bulk)
      await translateOutages(() =>
        getCollection(longRunning, collection).createIndexes([...toIndexes(shape), TOMBSTONES], indexOptions),
      );
    this.indexes.forget(getCollection(this.db, collection));
    if (listCountedGroups(shape).length > 0)
      await this.sizes.prepare(getCollection(this.db, collection), collection, bulk ? { indexes: [] } : shape);
  }

  async dropCollection(collection: string): Promise<void> {
    this.indexes.forget(getCollection(this.db, collection));
    await translateOutages(() => dropIfPresent(() => getCollection(this.db, collection).drop()));
    await translateOutages(() => this.checkpoints.deleteOne({ _id: { $eq: collection } }));
    await this.sizes.drop(collection);
  }

  async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    const found = await translateOutages(() =>
      this.connections.readCommitted(() =>
        getCollection(this.db, collection)
          .find({ _id: { $in: [...ids] } }, { batchSize: ids.length, ...READ_TIMEOUT })
          .toArray(),
      ),
    );
    return found.map(toRow);
  }

  async scan(collection: string, above: string | null, limit: number): Promise<Row[]> {
    const options = { sort: { _id: 1 }, limit, batchSize: limit, ...READ_TIMEOUT } as const;
    const found = await translateOutages(() =>
      getCollection(this.db, collection)
        .find({ _id: { $gt: above ?? '' } }, options)
        .toArray(),
    );
    return found.map(toRow);
  }

  async upsert(collection: string, saved: readonly Row[]): Promise<void> {
    const ids = saved.map(({ id }) => id);
    await this.sizes.runWrite(collection, ids, () =>
      translateOutages(() => upsertEach(getCollection(this.db, collection), sortById(saved), toReplacement)),
    );
  }

  async compareAndSet(collection: string, row: Row, expected: Position): Promise<boolean> {
    const kept = getCollection(this.db, collection);
    const replaced = toDocumentRow(row);
    const write = async () => {
      if (expected === START) return insertIfAbsent(() => kept.insertOne(replaced));
      const { matchedCount } = await kept.replaceOne({ _id: { $eq: row.id }, position: { $eq: expected } }, replaced);
      return matchedCount > 0;
    };
    return this.sizes.runWrite(collection, [row.id], () => translateOutages(write));
  }

  async deleteTombstones(collection: string, upTo: Position, limit: number): Promise<number> {
    const kept = getCollection(this.db, collection);
    const old = { live: false, position: { $lte: upTo } };
    const options = {
      projection: { _id: 1 },
      sort: { position: 1 },
      limit,
      batchSize: limit,
      ...READ_TIMEOUT,
    } as const;
    const ids = (await translateOutages(() => kept.find(old, options).toArray())).map(({ _id }) => _id);
    if (ids.length > 0) await translateOutages(() => kept.deleteMany({ ...old, _id: { $in: ids } }));
    return ids.length;
  }

  async find<D extends object>(collection: string, find: FindQuery): Promise<D[]> {
    const documents: D[] = [];
    for (const { filter, sort } of toListQueries(find)) {
      const limit = find.limit - documents.length;
      if (limit <= 0) break;
      const options = {
        projection: { _id: 0, document: 1 },
        sort,
        skip: find.offset ?? 0,
        limit,
        batchSize: limit,
        ...READ_TIMEOUT,
      };
      const found = await translateOutages(() => getCollection(this.db, collection).find(filter, options).toArray());
      documents.push(...found.map(({ document }) => decodeDocument<D>(document!)));
    }
    return documents;
  }

  override findSlice<D extends object>(collection: string, find: FindQuery): Promise<Slice<D>> {
    const rows = getCollection(this.db, collection);
    return translateOutages(async () => readSlice<D>(rows, await this.indexes.list(rows), find));
  }

  count(collection: string, where: Where): Promise<number> {
    return this.sizes.count(getCollection(this.db, collection), collection, where);
  }

  /** Closes the parts that were not written to since the last call, so that their sizes can be stored. */
  closeUnusedParts(): Promise<void> {
    return this.sizes.closeUnused();
  }
}

function getCollection(db: Db, collection: string): Collection<DocumentRow> {
  return db.collection(collectionNameOf(collection));
}

/** Two bulks with the same rows in another order would be a deadlock on a server that locks each row until the end. */
function sortById(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function toReplacement(row: Row, upsert: boolean): AnyBulkWriteOperation<DocumentRow> {
  const older = { _id: { $eq: row.id }, position: { $lt: row.position } };
  return { replaceOne: { filter: older, replacement: toDocumentRow(row), upsert } };
}
