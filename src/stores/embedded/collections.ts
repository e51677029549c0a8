import type { Condition, Hourly, Shape, Where } from '../../kernel/read-models.js';
import type { Statements } from './sqlite.js';

export type CompleteShape = Required<Shape>;

export const NOTHING: CompleteShape = { indexes: [], sparse: [], totals: [], hourly: [] };

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
  readonly hourly: readonly Hourly[];
}

/** Caches the definitions of collections; reads them again after any process has changed the tables. */
export class Collections {
  private readonly known = new Map<string, Collection>();
  private version = -1;

  find(sql: Statements, name: string): Collection | undefined {
    const { schema_version: version } = sql.get<{ schema_version: number }>('pragma schema_version')!;
    if (version !== this.version) this.known.clear();
    this.version = version;

    const collection = this.known.get(name) ?? collectionOf(sql, name);
    if (collection !== undefined) this.known.set(name, collection);
    return collection;
  }
}

function collectionOf(sql: Statements, name: string): Collection | undefined {
  const shape = shapeOf(sql, name);
  if (shape === null) return undefined;
  return { name, columns: new Set(pathsOf(shape)), ...shape };
}

export function shapeOf(sql: Statements, name: string): CompleteShape | null {
  const row = sql.get<{ shape: string }>('select shape from collections where name = ?', name);
  return row === undefined ? null : { ...NOTHING, ...(JSON.parse(row.shape) as Shape) };
}

/** Lists the paths that have their own column. */
export function pathsOf({ indexes, sparse, totals, hourly }: CompleteShape): string[] {
  const timed = hourly.flatMap(({ group, times }) => [...group, ...times]);
  return [...new Set([...indexes, ...sparse, ...totals, timed].flat())].filter((path) => path !== 'id');
}

export function tableOf(collection: string): string {
  return quoted(`documents of ${collection}`);
}

/** Returns the SQL expression of the value at a path: its column, or a lookup in the JSON document. */
export function valueAt(path: string, columns: ReadonlySet<string>): string {
  if (path === 'id') return 'id';
  return columns.has(path) ? columnOf(path) : extracted(path);
}

export function columnOf(path: string): string {
  return path === 'id' ? 'id' : quoted(`$.${path}`);
}

export function extracted(path: string): string {
  const steps = path.split('.').map((step) => `."${step}"`);
  return `(body ->> ${literal(`$${steps.join('')}`)})`;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Returns the stored key of a total: its paths in sorted order, so that the order of a declaration or a query has no
 * effect.
 */
export function totalOf(paths: readonly string[]): string {
  return JSON.stringify([...paths].sort());
}

/** Returns the stored key of hourly sizes: their sorted group and their times. */
export function hourlyOf({ group, times }: Hourly): string {
  return JSON.stringify([[...group].sort(), times]);
}

export function isScalar(condition: Condition): condition is string | number | boolean | null {
  return condition === null || typeof condition !== 'object';
}

/** Finds the declared total that counts exactly the documents of `where`. */
export function totalFor({ totals }: Collection, where: Where): string | undefined {
  if (!Object.values(where).every(isScalar)) return undefined;
  const asked = totalOf(Object.keys(where));
  return totals.map(totalOf).find((total) => total === asked);
}
