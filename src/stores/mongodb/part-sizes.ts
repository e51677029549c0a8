import type { Collection, Db } from 'mongodb';
import type { Where } from '../../kernel/read-models.js';
import { groupIndexOf } from './collections.js';
import { READ_TIMEOUT } from './connections.js';
import type { DocumentRow } from './documents.js';
import { translateOutages } from './failures.js';
import { isOpen, type PartRow } from './part-openings.js';
import { groupKeyOf, keyOf, toPartFilter, toPrefixRange } from './parts.js';
import { toFilter } from './query.js';
import type { StoreTime } from './server-time.js';
import { type PartSize, type Ranges, type TimeBounds, toAccumulators, toPartSize } from './time-bounds.js';
import { upsertEach } from './upserts.js';

const MAX_PARTS = 20_000;

/** A group of documents, and the times whose bounds are measured with its sizes. */
export interface Group {
  readonly rows: Collection<DocumentRow>;
  readonly name: string;
  readonly where: Where;
  readonly times: readonly string[];
}

/** The number of documents of a group in a part; valid while the part has this version. */
interface SizeRow {
  readonly _id: string;
  readonly version: string;
  readonly size: number;
  readonly bounds?: readonly TimeBounds[];
}

export interface Part {
  readonly part: string;
  readonly version: string;
  readonly isOpen: boolean;
  readonly size: PartSize | undefined;
}

export type MeasuredPart = Part & { readonly size: PartSize };

export class PartSizes {
  private readonly sizes: Collection<SizeRow>;

  constructor(
    db: Db,
    private readonly parts: Collection<PartRow>,
    private readonly time: StoreTime,
  ) {
    this.sizes = db.collection('sizes.groups');
  }

  async drop(name: string): Promise<void> {
    await this.sizes.deleteMany({ _id: toPrefixRange(name) });
  }

  /** Returns null when the collection has too many parts. */
  async read({ name, where, times }: Group): Promise<Part[] | null> {
    const group = groupKeyOf(name, where, times);
    const now = await this.time.now();
    const [parts, sizes] = await translateOutages(() =>
      Promise.all([
        this.parts.find({ _id: toPrefixRange(name) }, { limit: MAX_PARTS + 1, ...READ_TIMEOUT }).toArray(),
        this.sizes.find({ _id: toPrefixRange(group) }, READ_TIMEOUT).toArray(),
      ]),
    );
    if (parts.length > MAX_PARTS) return null;
    const kept = new Map(sizes.map((row) => [row._id, row]));
    return parts.map((row) => {
      const { _id, version = '' } = row;
      const part = _id.slice(keyOf(name, '').length);
      const size = kept.get(keyOf(group, part));
      return { part, version, isOpen: isOpen(row, now), size: size?.version === version ? toSize(size) : undefined };
    });
  }

  /** Measures closed parts, and stores their sizes. */
  async measure(group: Group, parts: readonly Part[]): Promise<MeasuredPart[]> {
    const measured = await translateOutages(() =>
      Promise.all(parts.map(async (part) => ({ ...part, size: await measurePart(group, part) }))),
    );
    const key = groupKeyOf(group.name, group.where, group.times);
    await translateOutages(() =>
      upsertEach(this.sizes, measured, ({ part, version, size }, upsert) => ({
        updateOne: { filter: { _id: { $eq: keyOf(key, part) } }, update: { $set: { version, ...size } }, upsert },
      })),
    );
    return measured;
  }
}

/** Counts the documents of parts within the ranges. */
export function countParts(group: Group, ranges: Ranges, parts: readonly Part[]): Promise<number[]> {
  const { rows, where } = group;
  const filter = toFilter({ ...where, ...ranges });
  return translateOutages(() =>
    Promise.all(parts.map(({ part }) => rows.countDocuments({ $and: [filter, toPartFilter(part)] }, toOptions(group)))),
  );
}

async function measurePart(group: Group, { part }: Part): Promise<PartSize> {
  const { rows, where, times } = group;
  const stages = [
    { $match: { $and: [toFilter(where), toPartFilter(part)] } },
    { $group: { _id: null, ...toAccumulators(times) } },
  ];
  const [measured] = await rows.aggregate(stages, toOptions(group)).toArray();
  return toPartSize(times, measured);
}

/** An index of a time might be chosen for a range, and scanned over all parts. */
function toOptions({ where }: Group) {
  return { hint: groupIndexOf(Object.keys(where)), ...READ_TIMEOUT };
}

function toSize({ size, bounds = [] }: SizeRow): PartSize {
  return { size, bounds };
}
