import type { ReadModels, Row } from '../../kernel/read-models.js';

/** Maximum number of rows in memory. */
const MAX_ROWS = 20_000;
const PAGE_ROWS = 500;
/** Number of ranges in a sample. */
const SAMPLE_RANGES = 10;

/** All rows with ids between two bounds: exclusive below, inclusive above; null is unbounded. */
export interface Range {
  readonly above: string | null;
  readonly upTo: string | null;
  readonly rows: readonly Row[];
}

export function isWithin(ranges: readonly Range[], id: string): boolean {
  return ranges.some(({ above, upTo }) => (above === null || id > above) && (upTo === null || id <= upTo));
}

/**
 * Reads the whole collection in ranges; or, with `sample`, about that number of documents in ranges from the whole
 * collection.
 */
export async function* readRanges(
  build: string,
  readModels: ReadModels,
  sample?: number,
): AsyncIterable<readonly Range[]> {
  const size = await readModels.count(build, {});
  if (sample !== undefined && sample < size) yield sampleRanges(build, readModels, sample, size);
  else for await (const range of readAllRanges(build, readModels)) yield [range];
}

async function* readAllRanges(build: string, readModels: ReadModels): AsyncIterable<Range> {
  let above: string | null = null;
  do {
    const range: Range = await readRangeAbove(build, readModels, above, MAX_ROWS);
    yield range;
    above = range.upTo;
  } while (above !== null);
}

async function sampleRanges(
  build: string,
  readModels: ReadModels,
  sample: number,
  size: number,
): Promise<readonly Range[]> {
  const rangeCount = Math.min(SAMPLE_RANGES, sample);
  const ranges: Range[] = [];
  for (let index = 0; index < rangeCount; index++) {
    const offset = Math.floor((index * size) / rangeCount);
    const above = offset === 0 ? null : await findIdAt(build, readModels, offset - 1);
    ranges.push(await readRangeAbove(build, readModels, above, Math.ceil(sample / rangeCount)));
  }
  return ranges;
}

async function readRangeAbove(
  build: string,
  readModels: ReadModels,
  above: string | null,
  limit: number,
): Promise<Range> {
  const rows: Row[] = [];
  for (let more = true; more && rows.length < limit;) {
    const wanted = Math.min(PAGE_ROWS, limit - rows.length);
    const found = await readModels.scan(build, rows.at(-1)?.id ?? above, wanted);
    rows.push(...found);
    more = found.length === wanted;
  }
  return { above, upTo: rows.length < limit ? null : rows.at(-1)!.id, rows };
}

async function findIdAt(build: string, readModels: ReadModels, offset: number): Promise<string | null> {
  const [found] = await readModels.find<{ readonly id: string }>(build, {
    where: {},
    orderBy: 'id',
    ascending: true,
    limit: 1,
    offset,
  });
  return found?.id ?? null;
}
