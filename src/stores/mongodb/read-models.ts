import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { START, type Position } from '../../kernel/position.js';
import { ReadModels, type CatalogueEntry, type Find, type Row, type Shape, type Where } from '../../kernel/read-models.js';
import { collectionNameOf, indexesOf, TOMBSTONES } from './collections.js';
import { asDocument, asRow, rowOf, type DocumentRow } from './documents.js';
import { READ_WITHIN } from './connections.js';
import { isNew, reach, unlessAbsent, unlessDuplicate } from './failures.js';
import { listed } from './query.js';
import type { StoreTime } from './server-time.js';
import { Sizes } from './sizes.js';
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
  private readonly sizes: Sizes;

  /** The second database is the same one with long timeouts, for the creation of indexes. */
  constructor(
    private readonly db: Db,
    private readonly patient: Db,
    private readonly time: StoreTime,
  ) {
    super();
    this.entries = db.collection('catalogue');
    this.checkpoints = db.collection('checkpoints');
    this.leases = db.collection('leases');
    this.sizes = new Sizes(db, time);
  }

  /** The server creates a collection with its first row or index. */
  async prepare(collection: string, shape: Shape, { bulk = false }: { readonly bulk?: boolean } = {}): Promise<void> {
    if (!bulk) await reach(() => rows(this.patient, collection).createIndexes([...indexesOf(shape), TOMBSTONES]));
    const { totals = [] } = shape;
    if (totals.length > 0) await this.sizes.prepare(rows(this.db, collection), collection, bulk ? [] : totals);
  }

  async drop(collection: string): Promise<void> {
    await reach(() => unlessAbsent(() => rows(this.db, collection).drop()));
    await reach(() => this.checkpoints.deleteOne({ _id: { $eq: collection } }));
    await this.sizes.drop(collection);
  }

  async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    const found = await reach(() =>
      rows(this.db, collection)
        .find({ _id: { $in: [...ids] } }, { batchSize: ids.length, ...READ_WITHIN })
        .toArray(),
    );
    return found.map(asRow);
  }

  async page(collection: string, above: string | null, limit: number): Promise<Row[]> {
    const options = { sort: { _id: 1 }, limit, batchSize: limit, ...READ_WITHIN } as const;
    const found = await reach(() =>
      rows(this.db, collection)
        .find({ _id: { $gt: above ?? '' } }, options)
        .toArray(),
    );
    return found.map(asRow);
  }

  async save(collection: string, saved: readonly Row[]): Promise<void> {
    const ids = saved.map(({ id }) => id);
    await this.sizes.during(collection, ids, () => reach(() => upsertEach(rows(this.db, collection), saved, replacement)));
  }

  async replace(collection: string, row: Row, expected: Position): Promise<boolean> {
    const kept = rows(this.db, collection);
    const replaced = rowOf(row);
    const write = async () => {
      if (expected === START) return isNew(() => kept.insertOne(replaced));
      const { matchedCount } = await kept.replaceOne({ _id: { $eq: row.id }, position: { $eq: expected } }, replaced);
      return matchedCount > 0;
    };
    return this.sizes.during(collection, [row.id], () => reach(write));
  }

  async sweep(collection: string, upTo: Position, limit: number): Promise<number> {
    const kept = rows(this.db, collection);
    const old = { live: false, position: { $lte: upTo } };
    const options = { projection: { _id: 1 }, sort: { position: 1 }, limit, batchSize: limit, ...READ_WITHIN } as const;
    const ids = (await reach(() => kept.find(old, options).toArray())).map(({ _id }) => _id);
    if (ids.length > 0) await reach(() => kept.deleteMany({ ...old, _id: { $in: ids } }));
    return ids.length;
  }

  async find<D extends object>(collection: string, find: Find): Promise<D[]> {
    const documents: D[] = [];
    for (const { filter, sort } of listed(find)) {
      const limit = find.limit - documents.length;
      if (limit <= 0) break;
      const options = { projection: { _id: 0, document: 1 }, sort, skip: find.offset ?? 0, limit, batchSize: limit, ...READ_WITHIN };
      const found = await reach(() => rows(this.db, collection).find(filter, options).toArray());
      documents.push(...found.map(({ document }) => asDocument<D>(document!)));
    }
    return documents;
  }

  count(collection: string, where: Where): Promise<number> {
    return this.sizes.count(rows(this.db, collection), collection, where);
  }

  /** Closes the parts that were not written to since the last call, so that their sizes can be stored. */
  settle(): Promise<void> {
    return this.sizes.settle();
  }

  async catalogue(): Promise<CatalogueEntry[]> {
    const found = await reach(() => this.entries.find({}, { sort: { _id: 1 }, ...READ_WITHIN }).toArray());
    return found.map(({ _id, revision, value }) => ({ name: _id, revision, value: JSON.parse(value) as object }));
  }

  enter(name: string, expected: number, value: object): Promise<boolean> {
    const entry = { revision: expected + 1, value: JSON.stringify(value) };
    return reach(async () => {
      if (expected === 0) return isNew(() => this.entries.insertOne({ _id: name, ...entry }));
      const { matchedCount } = await this.entries.updateOne({ _id: { $eq: name }, revision: { $eq: expected } }, { $set: entry });
      return matchedCount > 0;
    });
  }

  async checkpoint(name: string): Promise<Position> {
    const row = await reach(() => this.checkpoints.findOne({ _id: { $eq: name } }));
    return row?.position ?? START;
  }

  async checkpointNames(): Promise<string[]> {
    const found = await reach(() => this.checkpoints.find({}, { projection: { _id: 1 }, sort: { _id: 1 }, ...READ_WITHIN }).toArray());
    return found.map(({ _id }) => _id);
  }

  advance(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    return reach(() => upsertEach(this.checkpoints, Object.entries(checkpoints), forward));
  }

  async rewind(names: readonly string[], to: Position): Promise<void> {
    const beyond = { _id: { $in: [...names] }, position: { $gt: to } };
    await reach(() => this.checkpoints.updateMany(beyond, { $set: { position: to } }));
  }

  async lease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    const now = await this.time.now();
    return reach(async () => {
      const kept = await this.keep(name, holder, now + ttlMs);
      if (kept !== null) return kept;
      // Most attempts fail because another holder has the lease: a read costs less than a failed upsert.
      return (await this.isForeign(name, now)) ? null : this.take(name, holder, now, now + ttlMs);
    });
  }

  async release(name: string, holder: string): Promise<void> {
    const givenUp = { $set: { holder: null, ends: 0 } };
    await reach(() => this.leases.updateOne({ _id: { $eq: name }, holder: { $eq: holder } }, givenUp));
  }

  private async keep(name: string, holder: string, ends: number): Promise<number | null> {
    const held = { _id: { $eq: name }, holder: { $eq: holder } };
    const kept = await this.leases.findOneAndUpdate(held, { $set: { ends } }, { returnDocument: 'after' });
    return kept?.token ?? null;
  }

  private async isForeign(name: string, now: number): Promise<boolean> {
    return (await this.leases.findOne({ _id: { $eq: name }, ends: { $gt: now } })) !== null;
  }

  /** Takes a free lease. Of several concurrent attempts exactly one succeeds. */
  private async take(name: string, holder: string, now: number, ends: number): Promise<number | null> {
    const free = { _id: { $eq: name }, ends: { $lte: now } };
    const change = { $set: { holder, ends }, $inc: { token: 1 } };
    const taken = await unlessDuplicate(() => this.leases.findOneAndUpdate(free, change, { upsert: true, returnDocument: 'after' }));
    return taken?.token ?? null;
  }
}

function rows(db: Db, collection: string): Collection<DocumentRow> {
  return db.collection(collectionNameOf(collection));
}

function replacement(row: Row, upsert: boolean): AnyBulkWriteOperation<DocumentRow> {
  const older = { _id: { $eq: row.id }, position: { $lt: row.position } };
  return { replaceOne: { filter: older, replacement: rowOf(row), upsert } };
}

function forward([name, position]: readonly [string, Position], upsert: boolean): AnyBulkWriteOperation<CheckpointRow> {
  return { updateOne: { filter: { _id: { $eq: name } }, update: { $max: { position } }, upsert } };
}
