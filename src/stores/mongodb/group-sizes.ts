import type { Collection, Db } from 'mongodb';
import { combineValues, isListed } from '../../kernel/conditions.js';
import type { Where } from '../../kernel/read-models.js';
import { READ_TIMEOUT } from './connections.js';
import type { DocumentRow } from './documents.js';
import { nullOnDuplicate, translateOutages } from './failures.js';
import { isOpen, PartOpenings } from './part-openings.js';
import { partOf, toPartFilter } from './parts.js';
import { toFilter } from './query.js';
import type { StoreTime } from './server-time.js';
import { upsertEach } from './upserts.js';

/** Up to this size, a group is counted directly. */
const MAX_COUNTED_DIRECTLY = 1_000;
/** The number of parts that are counted in parallel. */
const CONCURRENCY = 8;
/**
 * After this time the whole group is counted instead of its parts. The sizes of counted parts are stored, so the next
 * call gets further.
 */
const COUNT_TIMEOUT_MS = 500;
const MAX_PARTS = 20_000;

type Totals = readonly (readonly string[])[];

/** A collection that is divided into parts: it was empty when the division began. */
interface CollectionRow {
  readonly _id: string;
  /** The groups that have an index for counting. */
  readonly groups: readonly string[];
}

/** The number of documents of a group in a part; valid while the part has this version. */
interface SizeRow {
  readonly _id: string;
  readonly version: string;
  readonly size: number;
}

interface Part {
  readonly part: string;
  readonly version: string;
  readonly isOpen: boolean;
  readonly size: number | undefined;
}

type CountedPart = Part & { readonly size: number };

/**
 * Provides exact sizes of groups without scanning all their documents. Without transactions, no counter can change
 * together with a document. Instead the ids divide a collection into parts. A writer opens a part before it writes
 * documents to it, and closes it after the write is acknowledged; both change the version of the part. A size is
 * stored only if no writer had the part open during the count, and it is valid until the version changes.
 */
export class GroupSizes {
  private readonly collections: Collection<CollectionRow>;
  private readonly sizes: Collection<SizeRow>;
  private readonly divided = new Map<string, boolean>();
  private readonly openings: PartOpenings;

  constructor(
    db: Db,
    private readonly time: StoreTime,
  ) {
    this.collections = db.collection('sizes.collections');
    this.sizes = db.collection('sizes.groups');
    this.openings = new PartOpenings(db, time);
  }

  /** Divides the collection into parts if it is empty. @param groups the groups that have indexes */
  async prepare(rows: Collection<DocumentRow>, name: string, groups: Totals): Promise<void> {
    const add = (upsert: boolean) =>
      this.collections.updateOne(
        { _id: { $eq: name } },
        { $addToSet: { groups: { $each: groups.map(groupNameOf) } } },
        { upsert },
      );
    await translateOutages(async () => {
      const { matchedCount } = await add(false);
      if (matchedCount > 0 || (await rows.findOne({}, { projection: { _id: 1 } })) !== null) return;
      if ((await nullOnDuplicate(() => add(true))) === null) await add(false);
    });
    this.divided.delete(name);
  }

  async drop(name: string): Promise<void> {
    const all = { _id: toPrefixRange(name) };
    await translateOutages(() =>
      Promise.all([
        this.collections.deleteOne({ _id: { $eq: name } }),
        this.openings.parts.deleteMany(all),
        this.sizes.deleteMany(all),
      ]),
    );
    this.divided.delete(name);
    this.openings.discard((part) => part.startsWith(keyOf(name, '')));
  }

  /** Runs a write of documents with these ids while their parts are open. */
  async runWrite<T>(name: string, ids: readonly string[], write: () => Promise<T>): Promise<T> {
    if (!(await this.isDivided(name))) return write();
    return this.openings.runOpened([...new Set(ids.map((id) => keyOf(name, partOf(id))))], write);
  }

  /** Closes the parts that were not written to since the last call. */
  closeUnused(): Promise<void> {
    return this.openings.closeUnused();
  }

  async count(rows: Collection<DocumentRow>, name: string, where: Where): Promise<number> {
    const countWhole = (limit?: number) =>
      translateOutages(() => rows.countDocuments(toFilter(where), { ...READ_TIMEOUT, ...(limit && { limit }) }));
    const few = await countWhole(MAX_COUNTED_DIRECTLY);
    if (few < MAX_COUNTED_DIRECTLY) return few;

    return (await this.countGroups(rows, name, where)) ?? countWhole();
  }

  /** Returns null when the groups of `where` cannot be counted by parts, or not in time. */
  private async countGroups(rows: Collection<DocumentRow>, name: string, where: Where): Promise<number | null> {
    if (!Object.values(where).every(isListed)) return null;
    let total = 0;
    for (const group of combineValues(where, Object.keys(where))) {
      const parts = await this.readParts(name, group);
      const size = parts && (await this.sum(rows, groupKeyOf(name, group), group, parts));
      if (size === null) return null;
      total += size;
    }
    return total;
  }

  /** Returns null when counting takes too long. Open parts come last, because their sizes are not stored. */
  private async sum(
    rows: Collection<DocumentRow>,
    group: string,
    where: Where,
    parts: readonly Part[],
  ): Promise<number | null> {
    const end = (await this.time.now()) + COUNT_TIMEOUT_MS;
    const stale = parts.filter(({ size }) => size === undefined).sort((a, b) => Number(a.isOpen) - Number(b.isOpen));
    let sum = parts.reduce((total, { size = 0 }) => total + size, 0);
    for (let from = 0; from < stale.length; from += CONCURRENCY) {
      if ((await this.time.now()) > end) return null;
      const counted = await this.countParts(rows, where, stale.slice(from, from + CONCURRENCY));
      await this.saveSizes(
        group,
        counted.filter(({ isOpen }) => !isOpen),
      );
      sum += counted.reduce((total, { size }) => total + size, 0);
    }
    return sum;
  }

  /** Returns null when the group has no index for counting, or too many parts. */
  private async readParts(name: string, where: Where): Promise<Part[] | null> {
    const collection = await translateOutages(() => this.collections.findOne({ _id: { $eq: name } }, READ_TIMEOUT));
    if (collection === null || !collection.groups.includes(groupNameOf(Object.keys(where)))) return null;

    const group = groupKeyOf(name, where);
    const now = await this.time.now();
    const [parts, sizes] = await translateOutages(() =>
      Promise.all([
        this.openings.parts.find({ _id: toPrefixRange(name) }, { limit: MAX_PARTS + 1, ...READ_TIMEOUT }).toArray(),
        this.sizes.find({ _id: toPrefixRange(group) }, READ_TIMEOUT).toArray(),
      ]),
    );
    if (parts.length > MAX_PARTS) return null;
    const kept = new Map(sizes.map((row) => [row._id, row]));
    return parts.map((row) => {
      const { _id, version = '' } = row;
      const part = _id.slice(keyOf(name, '').length);
      const size = kept.get(keyOf(group, part));
      return { part, version, isOpen: isOpen(row, now), size: size?.version === version ? size.size : undefined };
    });
  }

  private countParts(rows: Collection<DocumentRow>, where: Where, parts: readonly Part[]): Promise<CountedPart[]> {
    return translateOutages(() =>
      Promise.all(
        parts.map(async (part) => ({
          ...part,
          size: await rows.countDocuments({ $and: [toFilter(where), toPartFilter(part.part)] }, READ_TIMEOUT),
        })),
      ),
    );
  }

  private saveSizes(group: string, parts: readonly CountedPart[]): Promise<void> {
    return translateOutages(() =>
      upsertEach(this.sizes, parts, ({ part, version, size }, upsert) => ({
        updateOne: { filter: { _id: { $eq: keyOf(group, part) } }, update: { $set: { version, size } }, upsert },
      })),
    );
  }

  /** A collection is prepared before its first document is saved, so the result never changes and is cached. */
  private async isDivided(name: string): Promise<boolean> {
    const known =
      this.divided.get(name) ??
      (await translateOutages(() => this.collections.findOne({ _id: { $eq: name } }))) !== null;
    this.divided.set(name, known);
    return known;
  }
}

function keyOf(name: string, part: string): string {
  return `${name} ${part}`;
}

function groupKeyOf(name: string, where: Where): string {
  return keyOf(name, JSON.stringify(Object.entries(where).sort()));
}

function toPrefixRange(name: string): { readonly $gte: string; readonly $lt: string } {
  return { $gte: keyOf(name, ''), $lt: `${name}!` };
}

/** Returns the stored name of a group: its paths in sorted order. */
function groupNameOf(group: readonly string[]): string {
  return JSON.stringify([...group].sort());
}
