import type { ReadModels, Row } from '../../kernel/read-models.js';

/** Documents whose rows are held at once. */
const MAX_ROWS = 20_000;
const PAGE_ROWS = 500;
/** Places of the collection from which a sample is taken. */
const PLACES = 10;

/** All documents whose ids lie between two others: exclusive below, inclusive above; null is no limit. */
export interface Range {
  readonly above: string | null;
  readonly upTo: string | null;
  readonly ids: readonly string[];
  readonly rows: readonly Row[];
}

export function isWithin(ranges: readonly Range[], id: string): boolean {
  return ranges.some(({ above, upTo }) => (above === null || id > above) && (upTo === null || id <= upTo));
}

/** The whole collection, bit by bit; or with `sample` about so many of its documents, from all over it. */
export async function* rangesOf(build: string, readModels: ReadModels, sample?: number): AsyncIterable<readonly Range[]> {
  const size = await readModels.count(build, {});
  if (sample !== undefined && sample < size) yield sampled(build, readModels, sample, size);
  else {
    for (
      let range = await rangeAbove(build, readModels, null, MAX_ROWS);
      ;
      range = await rangeAbove(build, readModels, range.upTo, MAX_ROWS)
    ) {
      yield [range];
      if (range.upTo === null) return;
    }
  }
}

async function sampled(build: string, readModels: ReadModels, sample: number, size: number): Promise<readonly Range[]> {
  const places = Math.min(PLACES, sample);
  const ranges: Range[] = [];
  for (let place = 0; place < places; place++) {
    const offset = Math.floor((place * size) / places);
    const above = offset === 0 ? null : ((await idsAbove(build, readModels, null, 1, offset - 1))[0] ?? null);
    ranges.push(await rangeAbove(build, readModels, above, Math.ceil(sample / places)));
  }
  return ranges;
}

async function rangeAbove(build: string, readModels: ReadModels, above: string | null, limit: number): Promise<Range> {
  const [ids, rows]: [string[], Row[]] = [[], []];
  for (let more = true; more && ids.length < limit;) {
    const wanted = Math.min(PAGE_ROWS, limit - ids.length);
    const found = await idsAbove(build, readModels, ids.at(-1) ?? above, wanted);
    ids.push(...found);
    if (found.length > 0) rows.push(...(await readModels.load(build, found)));
    more = found.length === wanted;
  }
  return { above, upTo: ids.length < limit ? null : ids.at(-1)!, ids, rows };
}

async function idsAbove(build: string, readModels: ReadModels, above: string | null, limit: number, offset = 0): Promise<string[]> {
  const after = above === null ? {} : { after: { value: above, id: above } };
  const found = await readModels.find<{ readonly id: string }>(build, {
    where: {},
    orderBy: 'id',
    ascending: true,
    ...after,
    limit,
    offset,
  });
  return found.map(({ id }) => id);
}
