import { combineValues, isListed, isScalar } from '../../kernel/conditions.js';
import type { CollectionSchema, Condition, HourlySizes, Scalar, Where } from '../../kernel/read-models.js';
import type { Statements } from './sqlite.js';

export type CompleteSchema = Required<CollectionSchema>;

export const EMPTY_SCHEMA: CompleteSchema = { indexes: [], sparse: [], totals: [], hourly: [] };

/**
 * The stored definition of a collection: the paths that have a column, the indexes, and the groups whose size is
 * stored.
 */
export interface Collection {
  readonly name: string;
  readonly columns: ReadonlySet<string>;
  readonly indexes: readonly (readonly string[])[];
  readonly sparse: readonly (readonly string[])[];
  readonly totals: readonly (readonly string[])[];
  readonly hourly: readonly HourlySizes[];
}

/** Caches the definitions of collections; reads them again after any process has changed the tables. */
export class CollectionCache {
  private readonly cached = new Map<string, Collection>();
  private version = -1;

  find(sql: Statements, name: string): Collection | undefined {
    const { schema_version: version } = sql.get<{ schema_version: number }>('pragma schema_version')!;
    if (version !== this.version) this.cached.clear();
    this.version = version;

    const collection = this.cached.get(name) ?? readCollection(sql, name);
    if (collection !== undefined) this.cached.set(name, collection);
    return collection;
  }
}

function readCollection(sql: Statements, name: string): Collection | undefined {
  const shape = readSchema(sql, name);
  if (shape === null) return undefined;
  return { name, columns: new Set(listPaths(shape)), ...shape };
}

export function readSchema(sql: Statements, name: string): CompleteSchema | null {
  const row = sql.get<{ shape: string }>('select shape from collections where name = ?', name);
  return row === undefined ? null : { ...EMPTY_SCHEMA, ...(JSON.parse(row.shape) as CollectionSchema) };
}

/** Lists the paths that have their own column. */
export function listPaths({ indexes, sparse, totals, hourly }: CompleteSchema): string[] {
  const timed = hourly.flatMap(({ group, times }) => [...group, ...times]);
  return [...new Set([...indexes, ...sparse, ...totals, timed].flat())].filter((path) => path !== 'id');
}

export function tableOf(collection: string): string {
  return quoteIdentifier(`documents of ${collection}`);
}

/** Returns the SQL expression of the value at a path: its column, or a lookup in the JSON document. */
export function toExpression(path: string, columns: ReadonlySet<string>): string {
  if (path === 'id') return 'id';
  return columns.has(path) ? columnOf(path) : toJsonLookup(path);
}

export function indexNameOf(collection: string, paths: readonly string[]): string {
  return quoteIdentifier(`${collection} by ${paths.join(', ')}`);
}

export function columnOf(path: string): string {
  return path === 'id' ? 'id' : quoteIdentifier(`$.${path}`);
}

export function toJsonLookup(path: string): string {
  const steps = path.split('.').map((step) => `."${step}"`);
  return `(body ->> ${quoteLiteral(`$${steps.join('')}`)})`;
}

export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Returns the stored key of a total: its paths in sorted order, so that the order of a declaration or a query has no
 * effect.
 */
export function totalKeyOf(paths: readonly string[]): string {
  return JSON.stringify([...paths].sort());
}

/** Returns the stored key of hourly sizes: their sorted group and their times. */
export function hourlyKeyOf({ group, times }: HourlySizes): string {
  return JSON.stringify([[...group].sort(), times]);
}

/** Finds the declared total whose groups hold exactly the documents of `where`. */
export function findTotal({ totals }: Collection, where: Where): string | undefined {
  if (!Object.values(where).every(isListed)) return undefined;
  const asked = totalKeyOf(Object.keys(where));
  return totals.map(totalKeyOf).find((total) => total === asked);
}

/**
 * Finds the longest index whose group the filter fixes and that has no total: only large groups have totals, so these
 * values are shared by few documents.
 */
export function findNarrowIndex(
  { indexes, totals }: Collection,
  where: Where,
  orderBy?: string,
): readonly string[] | undefined {
  const large = new Set(totals.map(totalKeyOf));
  const narrow = indexes.filter((paths) => {
    const group = paths.slice(0, -1);
    const isFixed = group.length > 0 && group.every((path) => isSeekable(where[path]));
    return isFixed && !large.has(totalKeyOf(group)) && (orderBy === undefined || paths.at(-1) === orderBy);
  });
  return narrow.sort((a, b) => b.length - a.length)[0];
}

/** Returns whether an index can find the values. SQLite scans for a list that contains null. */
function isSeekable(condition: Condition | undefined): boolean {
  if (condition === undefined || isScalar(condition)) return condition !== undefined;
  return 'in' in condition && !condition.in.includes(null);
}

/** Returns the stored values of the groups that match `where`, each as a JSON array. The paths are sorted. */
export function toGroups(where: Where, paths: readonly string[]): string[] {
  return combineValues(where, paths).map((group) => JSON.stringify(paths.map((path) => toCell(group[path]!))));
}

/** Converts a scalar to its column value: SQLite stores JSON's true and false as 1 and 0. */
export function toCell(scalar: Scalar): string | number | null {
  return typeof scalar === 'boolean' ? Number(scalar) : scalar;
}
