import { combineValues, isScalar, listValues } from '../../kernel/conditions.js';
import {
  type Condition,
  type FindQuery,
  type Scalar,
  type SortKey,
  toSortKey,
  type Where,
} from '../../kernel/read-models.js';
import { type Collection, tableOf, toCell, toExpression } from './collections.js';
import { joinConditions, readBodies, type Sql, toAfterConditions, toCondition, toFilter } from './query.js';
import { type Statements, toLimit } from './sqlite.js';

/** The number of rows that one slice scans at most, even when few of them match. */
const MAX_SCANNED = 2_000;
/** A condition with more values is checked row by row. */
const MAX_PARTS = 40;

/** A slice with its documents as JSON. */
export interface SliceRows {
  readonly bodies: readonly string[];
  readonly next: SortKey | null;
}

interface SortedRow extends SortKey {
  readonly body: string;
}

/** The rows of one part of a list. `end`: the last scanned key; null: the whole part was scanned. */
interface Part {
  readonly rows: readonly SortedRow[];
  readonly end: SortKey | null;
}

/**
 * Scans the index that fixes most of the filter, once for each combination of the fixed values, and checks the rest
 * of the filter row by row. If no index has the order of the list, all matching documents are sorted.
 */
export function readSlice(sql: Statements, collection: Collection, find: FindQuery): SliceRows {
  if (Object.values(find.where).some(isNeverTrue)) return { bodies: [], next: null };
  const paths = findIndex(collection, find);
  if (paths === undefined) return readSorted(sql, collection, find);

  const fixed = combineValues(find.where, paths.slice(0, -1));
  const most = Math.ceil(MAX_SCANNED / fixed.length);
  const parts = fixed.flatMap((where) =>
    toPieces(collection, find, where).map((piece) => scanPart(sql, collection, find, where, piece, most)),
  );
  return mergeParts(parts, find);
}

/** Returns whether the first page of a list with several values is one slice: an index fixes its whole filter. */
export function isMergedPage(collection: Collection, find: FindQuery): boolean {
  const { where, orderBy, after, offset = 0, limit } = find;
  if (after !== undefined || offset > 0 || Object.values(where).every(isScalar)) return false;
  const paths = findIndex(collection, find);
  const fixed = Object.keys(where).filter((path) => path !== orderBy);
  return paths?.length === fixed.length + 1 && countParts(where, paths) * (limit + 1) <= MAX_SCANNED;
}

/** Finds the longest declared index whose last path is the order and whose other paths the filter fixes. */
export function findIndex(
  { indexes, sparse }: Collection,
  { where, orderBy }: Pick<FindQuery, 'where' | 'orderBy'>,
): readonly string[] | undefined {
  const isFixed = (path: string) => where[path] !== undefined && listValues(where[path]).length > 0;
  const hasValue = (paths: readonly string[]) =>
    listValues(where[paths.at(-2)!] ?? null).every((value) => value !== null);
  const usable = [...sparse.filter(hasValue), ...indexes]
    .filter((paths) => paths.at(-1) === orderBy && paths.slice(0, -1).every(isFixed))
    .filter((paths) => countParts(where, paths) <= MAX_PARTS);
  return usable.reduce<readonly string[] | undefined>(
    (best, paths) => (best && best.length >= paths.length ? best : paths),
    undefined,
  );
}

function countParts(where: Where, paths: readonly string[]): number {
  return paths.slice(0, -1).reduce((product, path) => product * listValues(where[path]!).length, 1);
}

function isNeverTrue(condition: Condition): boolean {
  return !isScalar(condition) && 'in' in condition && condition.in.length === 0;
}

/** Returns the conditions for the range of the part. The cursor replaces the start of a range that it has passed. */
function toPieces(
  { columns }: Collection,
  { where, orderBy, ascending = false, after }: FindQuery,
  fixed: Where,
): Sql[] {
  const column = toExpression(orderBy, columns);
  const range = orderBy in fixed ? undefined : where[orderBy];
  if (after === undefined) return [range === undefined ? { text: 'true', values: [] } : toCondition(column, range)];
  const left = range === undefined ? undefined : narrowRange(range, after.value, ascending);
  return toAfterConditions(column, after, ascending).map((piece) =>
    left === undefined ? piece : joinConditions([piece, toCondition(column, left)]),
  );
}

function narrowRange(range: Condition, value: Scalar, ascending: boolean): Condition {
  if (isScalar(range) || 'in' in range || value === null) return range;
  const { from, to } = range;
  if (ascending) return from !== undefined && from <= (value as string) ? { to } : range;
  return to !== undefined && to >= (value as string) ? { from } : range;
}

function scanPart(
  sql: Statements,
  collection: Collection,
  find: FindQuery,
  fixed: Where,
  piece: Sql,
  most: number,
): Part {
  const { columns, name } = collection;
  const { where, orderBy, ascending = false, limit } = find;
  const [table, column, order] = [tableOf(name), toExpression(orderBy, columns), ascending ? 'asc' : 'desc'];
  const rest = Object.fromEntries(Object.entries(where).filter(([path]) => !(path in fixed) && path !== orderBy));
  const walked = joinConditions([toFilter(collection, fixed), piece]);
  const residual = joinConditions([
    { text: 'true', values: [] },
    ...Object.entries(rest).map(([path, condition]) => toCondition(toExpression(path, columns), condition)),
  ]);
  const walk = `from ${table} where ${walked.text} order by ${column} ${order}, id ${order}`;

  // SQLite scans the inner list in its order, and only as far as the outer one needs.
  const text = `select body, ${column} as value, id from (select rowid as looked ${walk} ${toLimit(most)})
    cross join ${table} on ${table}.rowid = looked where ${residual.text} ${toLimit(limit + 1)}`;
  const rows = sql.all<SortedRow>(text, ...walked.values, ...residual.values);
  if (rows.length > limit) return { rows, end: pickSortKey(rows.at(-1)!) };
  const last = sql.get<SortKey>(`select ${column} as value, id ${walk} limit 1 offset +?`, ...walked.values, most - 1);
  return { rows, end: last === undefined ? null : pickSortKey(last) };
}

/**
 * Merges the parts up to the nearest end. Later rows belong to the next slice, because another part may hold earlier
 * ones.
 */
function mergeParts(parts: readonly Part[], find: FindQuery): SliceRows {
  const order = createComparator(find);
  const [nearest = null] = parts.flatMap(({ end }) => end ?? []).sort(order);
  const rows = parts
    .flatMap((part) => part.rows)
    .filter((row) => nearest === null || order(row, nearest) <= 0)
    .sort(order);
  const kept = rows.slice(0, find.limit);
  return { bodies: kept.map(({ body }) => body), next: rows.length > find.limit ? pickSortKey(kept.at(-1)!) : nearest };
}

function readSorted(sql: Statements, collection: Collection, find: FindQuery): SliceRows {
  const bodies = readBodies(sql, collection, { ...find, limit: find.limit + 1 });
  const kept = bodies.slice(0, find.limit);
  return {
    bodies: kept,
    next: bodies.length > find.limit ? toSortKey(JSON.parse(kept.at(-1)!) as object, find.orderBy) : null,
  };
}

function pickSortKey({ value, id }: SortKey): SortKey {
  return { value, id };
}

/** Creates a comparator that sorts null before all values, as SQLite does. */
function createComparator({ ascending = false }: FindQuery): (a: SortKey, b: SortKey) => number {
  const direction = ascending ? 1 : -1;
  return (a, b) => direction * (compareScalars(a.value, b.value) || compareScalars(a.id, b.id));
}

function compareScalars(first: Scalar, second: Scalar): number {
  const [a, b] = [toCell(first), toCell(second)];
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}
