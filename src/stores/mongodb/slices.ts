import type { Collection } from 'mongodb';
import { isListed, listValues } from '../../kernel/conditions.js';
import { type FindQuery, type Slice, type SortKey, toSortKey, type Where } from '../../kernel/read-models.js';
import { READ_TIMEOUT } from './connections.js';
import { decodeDocument, type DocumentRow, fieldOf } from './documents.js';
import { type Query, toListQueries } from './query.js';

/** The number of index entries that one slice scans at most, even when few of their documents match. */
const MAX_SCANNED = 2_000;

/** The fields of an index between `live` and the id, in order. */
export type IndexFields = readonly string[];

/**
 * Reads a slice. When the best index leaves a part of the filter to be checked document by document, the slice ends
 * after a bounded number of index entries. A list that ends within null values is bounded by time alone.
 */
export async function readSlice<D extends object>(
  rows: Collection<DocumentRow>,
  indexes: readonly IndexFields[],
  find: FindQuery,
  maxScanned = MAX_SCANNED,
): Promise<Slice<D>> {
  const end = await findScanEnd(rows, indexes, find, maxScanned);
  const found: D[] = [];
  for (const query of toListQueries(find)) {
    const limit = find.limit + 1 - found.length;
    if (limit > 0) found.push(...(await readDocuments<D>(rows, limitTo(query, end, find), limit)));
  }
  const documents = found.slice(0, find.limit);
  return { documents, next: found.length > find.limit ? toSortKey(documents.at(-1)!, find.orderBy) : end };
}

/** Returns where the scan of the slice ends; null when the slice may scan to the end of the list. */
async function findScanEnd(
  rows: Collection<DocumentRow>,
  indexes: readonly IndexFields[],
  find: FindQuery,
  maxScanned: number,
): Promise<SortKey | null> {
  const scanned = toScannedFilter(indexes, find);
  if (scanned === null) return null;
  const options = { projection: { _id: 1, document: 1 }, skip: maxScanned - 1, limit: 1, ...READ_TIMEOUT } as const;
  const [{ filter, sort } = { filter: {}, sort: {} }] = toListQueries({ ...find, where: scanned });
  const [row] = await rows.find(filter, { ...options, sort }).toArray();
  if (row?.document === undefined) return null;
  const { value } = toSortKey(decodeDocument(row.document), find.orderBy);
  return value === null ? null : { value, id: row._id };
}

/** Returns the part of the filter that the best index fixes; null when no index is used, or nothing else is left. */
function toScannedFilter(indexes: readonly IndexFields[], { where, orderBy }: FindQuery): Where | null {
  const listed = Object.keys(where).filter((path) => path !== orderBy && isListed(where[path]));
  const fields = new Map(listed.map((path) => [fieldOf(path), path]));
  const usable = indexes.filter(
    (index) => index.at(-1) === fieldOf(orderBy) && index.slice(0, -1).every((field) => fields.has(field)),
  );
  const best = usable.sort((a, b) => b.length - a.length)[0];
  const others = Object.keys(where).filter((path) => path !== orderBy);
  if (best === undefined || best.length > others.length || others.some((path) => isNeverTrue(where, path))) return null;
  const fixed = [...best.slice(0, -1).map((field) => fields.get(field)!), orderBy];
  return Object.fromEntries(Object.entries(where).filter(([path]) => fixed.includes(path)));
}

function isNeverTrue(where: Where, path: string): boolean {
  return isListed(where[path]) && listValues(where[path]!).length === 0;
}

/** Adds the end of the scan to a query. Null sorts before all values. */
function limitTo({ filter, sort }: Query, end: SortKey | null, { orderBy, ascending = false }: FindQuery): Query {
  if (end === null) return { filter, sort };
  const field = fieldOf(orderBy);
  const upTo = ascending ? '$lte' : '$gte';
  const bound = ascending ? { [field]: { $not: { $gt: end.value } } } : { [field]: { [upTo]: end.value } };
  const isBefore = { $or: [{ [field]: { $ne: end.value } }, { _id: { [upTo]: end.id } }] };
  return { filter: { $and: [filter, bound, isBefore] }, sort };
}

async function readDocuments<D extends object>(
  rows: Collection<DocumentRow>,
  { filter, sort }: Query,
  limit: number,
): Promise<D[]> {
  const options = { projection: { _id: 0, document: 1 }, sort, limit, batchSize: limit, ...READ_TIMEOUT } as const;
  const found = await rows.find(filter, options).toArray();
  return found.map(({ document }) => decodeDocument<D>(document!));
}
