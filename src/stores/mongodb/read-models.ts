import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { type Position, START } from '../../kernel/position.js';
import {
  type CatalogueEntry,
  type CollectionSchema,
  type FindQuery,
  ReadModels,
  type Row,
  type Where,
} from '../../kernel/read-models.js';
import { collectionNameOf, toIndexes, TOMBSTONES } from './collections.js';
import { READ_TIMEOUT } from './connections.js';
import { decodeDocument, type DocumentRow, toDocumentRow, toRow } from './documents.js';
import { dropIfPresent, insertIfAbsent, nullOnDuplicate, translateOutages } from './failures.js';
import { GroupSizes } from './group-sizes.js';
import { toListQueries } from './query.js';
import type { StoreTime } from './server-time.js';
import { upsertEach } from './upserts.js';

interface EntryRow {
  readonly _id: string;
  readonly revision: number;
  readonly value: string;
}

interface CheckpointRow {
  readonly _id: string;
  readonly position: Position;
}

interface LeaseRow {
  readonly _id: string;
  readonly holder: string | null;
  readonly token: number;
  /** Milliseconds since 1970; 0 after a release. */
  readonly ends: number;
}

export class MongoReadModels extends ReadModels {
  private readonly entries: Collection<EntryRow>;
  private readonly checkpoints: Collection<CheckpointRow>;
  private readonly leases: Collection<LeaseRow>;
  private readonly sizes: GroupSizes;

  /** The second database is the same one with long timeouts, for the creation of indexes. */
  constructor(
    private readonly db: Db,
    private readonly longRunning: Db,
    private readonly time: StoreTime,
  ) {
    super();
    this.entries = db.collection('catalogue');
    this.checkpoints = db.collection('checkpoints');
    this.leases = db.collection('leases');
    this.sizes = new GroupSizes(db, time);
  }

  /** The server creates a collection with its first row or index. */
  async ensureCollection(
    collection: string,
    shape: CollectionSchema,
    { bulk = false }: { readonly bulk?: boolean } = {},
  ): Promise<void> {
    if (!bulk)
      await translateOutages(() =>
        getCollection(this.longRunning, collection).createIndexes([...toIndexes(shape), TOMBSTONES]),
      );
    const { totals = [] } = shape;
    if (totals.length > 0) await this.sizes.prepare(getCollection(this.db, collection), collection, bulk ? [] : totals);
  }

  async dropCollection(collection: string): Promise<void> {
    await translateOutages(() => dropIfPresent(() => getCollection(this.db, collection).drop()));
    await translateOutages(() => this.checkpoints.deleteOne({ _id: { $eq: collection } }));
    await this.sizes.drop(collection);
  }

  async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    const found = await translateOutages(() =>
      getCollection(this.db, collection)
        .find({ _id: { $in: [...ids] } }, { batchSize: ids.length, ...READ_TIMEOUT })
        .toArray(),
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
      translateOutages(() => upsertEach(getCollection(this.db, collection), saved, toReplacement)),
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

  count(collection: string, where: Where): Promise<number> {
    return this.sizes.count(getCollection(this.db, collection), collection, where);
  }

  /** Closes the parts that were not written to since the last call, so that their sizes can be stored. */
  closeUnusedParts(): Promise<void> {
    return this.sizes.closeUnused();
  }

  async listEntries(): Promise<CatalogueEntry[]> {
    const found = await translateOutages(() => this.entries.find({}, { sort: { _id: 1 }, ...READ_TIMEOUT }).toArray());
    return found.map(({ _id, revision, value }) => ({ name: _id, revision, value: JSON.parse(value) as object }));
  }

  compareAndSetEntry(name: string, expected: number, value: object): Promise<boolean> {
    const entry = { revision: expected + 1, value: JSON.stringify(value) };
    return translateOutages(async () => {
      if (expected === 0) return insertIfAbsent(() => this.entries.insertOne({ _id: name, ...entry }));
      const { matchedCount } = await this.entries.updateOne(
        { _id: { $eq: name }, revision: { $eq: expected } },
        { $set: entry },
      );
      return matchedCount > 0;
    });
  }

  async readCheckpoint(name: string): Promise<Position> {
    const row = await translateOutages(() => this.checkpoints.findOne({ _id: { $eq: name } }));
    return row?.position ?? START;
  }

  async listCheckpointNames(): Promise<string[]> {
    const found = await translateOutages(() =>
      this.checkpoints.find({}, { projection: { _id: 1 }, sort: { _id: 1 }, ...READ_TIMEOUT }).toArray(),
    );
    return found.map(({ _id }) => _id);
  }

  advanceCheckpoints(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    return translateOutages(() => upsertEach(this.checkpoints, Object.entries(checkpoints), toAdvance));
  }

  async rewindCheckpoints(names: readonly string[], to: Position): Promise<void> {
    const beyond = { _id: { $in: [...names] }, position: { $gt: to } };
    await translateOutages(() => this.checkpoints.updateMany(beyond, { $set: { position: to } }));
  }

  async acquireLease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    const now = await this.time.now();
    return translateOutages(async () => {
      const kept = await this.renewLease(name, holder, now + ttlMs);
      if (kept !== null) return kept;
      // Most attempts fail because another holder has the lease: a read costs less than a failed upsert.
      return (await this.isHeldByOther(name, now)) ? null : this.takeLease(name, holder, now, now + ttlMs);
    });
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    const givenUp = { $set: { holder: null, ends: 0 } };
    await translateOutages(() => this.leases.updateOne({ _id: { $eq: name }, holder: { $eq: holder } }, givenUp));
  }

  private async renewLease(name: string, holder: string, ends: number): Promise<number | null> {
    const held = { _id: { $eq: name }, holder: { $eq: holder } };
    const kept = await this.leases.findOneAndUpdate(held, { $set: { ends } }, { returnDocument: 'after' });
    return kept?.token ?? null;
  }

  private async isHeldByOther(name: string, now: number): Promise<boolean> {
    return (await this.leases.findOne({ _id: { $eq: name }, ends: { $gt: now } })) !== null;
  }

  /** Takes a free lease. Of several concurrent attempts exactly one succeeds. */
  private async takeLease(name: string, holder: string, now: number, ends: number): Promise<number | null> {
    const free = { _id: { $eq: name }, ends: { $lte: now } };
    const change = { $set: { holder, ends }, $inc: { token: 1 } };
    const taken = await nullOnDuplicate(() =>
      this.leases.findOneAndUpdate(free, change, { upsert: true, returnDocument: 'after' }),
    );
    return taken?.token ?? null;
  }
}

function getCollection(db: Db, collection: string): Collection<DocumentRow> {
  return db.collection(collectionNameOf(collection));
}

function toReplacement(row: Row, upsert: boolean): AnyBulkWriteOperation<DocumentRow> {
  const older = { _id: { $eq: row.id }, position: { $lt: row.position } };
  return { replaceOne: { filter: older, replacement: toDocumentRow(row), upsert } };
}

function toAdvance(
  [name, position]: readonly [string, Position],
  upsert: boolean,
): AnyBulkWriteOperation<CheckpointRow> {
  return { updateOne: { filter: { _id: { $eq: name } }, update: { $max: { position } }, upsert } };
}
