import type { Collection, Db } from 'mongodb';
import { combineValues, isListed, isTimeRange } from '../../kernel/conditions.js';
import type { CollectionSchema, Where } from '../../kernel/read-models.js';
import { listCountedGroups } from './collections.js';
import { READ_TIMEOUT } from './connections.js';
import type { DocumentRow } from './documents.js';
import { nullOnDuplicate, translateOutages } from './failures.js';
import { PartOpenings } from './part-openings.js';
import { countParts, type Group, type Part, PartSizes } from './part-sizes.js';
import { keyOf, partOf, toPrefixRange } from './parts.js';
import { toFilter } from './query.js';
import type { StoreTime } from './server-time.js';
import { countWithin, type Ranges } from './time-bounds.js';

const MAX_COUNTED_DIRECTLY = 1_000;
/** The number of parts that are counted in parallel. */
const CONCURRENCY = 8;
/**
 * After this time the whole group is counted instead of its parts. The sizes of counted parts are stored, so the next
 * call gets further.
 */
const COUNT_TIMEOUT_MS = 500;

/** A collection that is divided into parts: it was empty when the division began. */
interface CollectionRow {
  readonly _id: string;
  /** The groups that have an index for counting. */
  readonly groups: readonly string[];
  /** The times whose ranges are counted by parts; missing in an older format. */
  readonly times?: readonly GroupTime[];
}

interface GroupTime {
  readonly group: string;
  readonly time: string;
}

/**
 * Provides exact sizes of groups without scanning all their documents. Without transactions, no counter can change
 * together with a document. Instead the ids divide a collection into parts. A writer opens a part before it writes
 * documents to it, and closes it after the write is acknowledged; both change the version of the part. A size is
 * stored only if no writer had the part open during the count, and it is valid until the version changes.
 *
 * For ranges of times, the least and the greatest time of a part are stored with its size. Only parts that are partly
 * within a range are counted again.
 */
export class GroupSizes {
  private readonly collections: Collection<CollectionRow>;
  private readonly sizes: PartSizes;
  private readonly divided = new Map<string, boolean>();
  private readonly openings: PartOpenings;

  constructor(
    db: Db,
    private readonly time: StoreTime,
  ) {
    this.collections = db.collection('sizes.collections');
    this.openings = new PartOpenings(db, time);
    this.sizes = new PartSizes(db, this.openings.parts, time);
  }

  /** Divides the collection into parts if it is empty. @param schema of which the groups have indexes */
  async prepare(rows: Collection<DocumentRow>, name: string, schema: CollectionSchema): Promise<void> {
    const groups = listCountedGroups(schema).map(groupNameOf);
    const add = (upsert: boolean) =>
      this.collections.updateOne(
        { _id: { $eq: name } },
        { $addToSet: { groups: { $each: groups }, times: { $each: listTimes(schema) } } },
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
    await translateOutages(() =>
      Promise.all([
        this.collections.deleteOne({ _id: { $eq: name } }),
        this.openings.parts.deleteMany({ _id: toPrefixRange(name) }),
        this.sizes.drop(name),
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
    const countDirectly = (some: Where, limit?: number) =>
      translateOutages(() => rows.countDocuments(toFilter(some), { ...READ_TIMEOUT, ...(limit && { limit }) }));
    const limited = removeSeveralRanges(where);
    const few = await countDirectly(limited, MAX_COUNTED_DIRECTLY);
    if (few < MAX_COUNTED_DIRECTLY) return limited === where ? few : countDirectly(where);

    return (await this.countGroups(rows, name, where)) ?? countDirectly(where);
  }

  /** Returns null when the groups of `where` cannot be counted by parts, or not in time. */
  private async countGroups(rows: Collection<DocumentRow>, name: string, where: Where): Promise<number | null> {
    const groups = await this.findGroups(rows, name, where);
    if (groups === null) return null;
    const ranges = Object.fromEntries(Object.entries(where).filter(([, condition]) => !isListed(condition))) as Ranges;
    let total = 0;
    for (const group of groups) {
      const parts = await this.sizes.read(group);
      const size = parts && (await this.sum(group, ranges, parts));
      if (size === null) return null;
      total += size;
    }
    return total;
  }

  /** Returns null when the groups have no index for counting, or their sizes have no bounds for a range. */
  private async findGroups(rows: Collection<DocumentRow>, name: string, where: Where): Promise<Group[] | null> {
    const collection = await translateOutages(() => this.collections.findOne({ _id: { $eq: name } }, READ_TIMEOUT));
    const paths = Object.keys(where).filter((path) => isListed(where[path]));
    const ranged = Object.keys(where).filter((path) => !paths.includes(path));
    const group = groupNameOf(paths);
    if (collection === null || !collection.groups.includes(group)) return null;
    const declared = (collection.times ?? []).filter((one) => one.group === group).map(({ time }) => time);
    if (!ranged.every((path) => declared.includes(path) && isTimeRange(where[path]))) return null;
    const times = ranged.length === 0 ? [] : declared.sort();
    return combineValues(where, paths).map((values) => ({ rows, name, where: values, times }));
  }

  /** Returns null when counting takes too long. Sizes that are stored come first, so that the next call gets further. */
  private async sum(group: Group, ranges: Ranges, parts: readonly Part[]): Promise<number | null> {
    const end = (await this.time.now()) + COUNT_TIMEOUT_MS;
    const stale = parts.filter(({ size, isOpen }) => size === undefined && !isOpen);
    const measured = await this.runInTime(stale, end, (some) => this.sizes.measure(group, some));
    if (measured === null) return null;

    const known = new Map(
      [...parts, ...measured].map((part) => [part.part, part.size && countWithin(part.size, ranges)]),
    );
    const others = parts.filter(({ part }) => known.get(part) === undefined);
    const counted = await this.runInTime(others, end, (some) => countParts(group, ranges, some));
    return counted && [...known.values(), ...counted].reduce<number>((sum, size = 0) => sum + size, 0);
  }

  /** Returns null when the parts take too long. */
  private async runInTime<R>(
    parts: readonly Part[],
    end: number,
    run: (some: readonly Part[]) => Promise<readonly R[]>,
  ): Promise<R[] | null> {
    const results: R[] = [];
    for (let from = 0; from < parts.length; from += CONCURRENCY) {
      if ((await this.time.now()) > end) return null;
      results.push(...(await run(parts.slice(from, from + CONCURRENCY))));
    }
    return results;
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

/** A search for few documents within ranges of several times could scan many: without ranges it is limited. */
function removeSeveralRanges(where: Where): Where {
  const listed = Object.entries(where).filter(([, condition]) => isListed(condition));
  return Object.keys(where).length - listed.length > 1 ? Object.fromEntries(listed) : where;
}

function listTimes({ hourly = [] }: CollectionSchema): GroupTime[] {
  return hourly.flatMap(({ group, times }) => times.map((time) => ({ group: groupNameOf(group), time })));
}

/** Returns the stored name of a group: its paths in sorted order. */
function groupNameOf(group: readonly string[]): string {
  return JSON.stringify([...group].sort());
}
