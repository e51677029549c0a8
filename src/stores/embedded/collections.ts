import type { CollectionSchema, Condition, HourlySizes, Where } from '../../kernel/read-models.js';
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

export function isScalar(condition: Condition): condition is string | number | boolean | null {
  return condition === null || typeof condition !== 'object';
}

/** Finds the declared total that counts exactly the documents of `where`. */
export function findTotal({ totals }: Collection, where: Where): string | undefined {
  if (!Object.values(where).every(isScalar)) return undefined;
  const asked = totalKeyOf(Object.keys(where));
  return totals.map(totalKeyOf).find((total) => total === asked);
}
