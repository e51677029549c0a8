import type { Position } from './position.js';

export type Scalar = string | number | boolean | null;

/** Matches a value that equals a scalar, is one of several, or lies within a range (both ends inclusive). */
export type Condition =
  Scalar | { readonly in: readonly Scalar[] } | { readonly from?: string | number; readonly to?: string | number };

/**
 * The dotted paths to the values of a document: `status`, `business.id`. A list or a free map has none. Of `object`,
 * any document, every text is a path.
 */
export type PathOf<D> = [object] extends [D] ? string : ValuePath<D>;

type ValuePath<D> = D extends readonly unknown[]
  ? never
  : D extends object
    ? {
        [K in NamedKey<D>]: NonNullable<D[K]> extends infer V ? (V extends object ? `${K}.${ValuePath<V>}` : K) : never;
      }[NamedKey<D>]
    : never;

/** The keys that the type names. */
type NamedKey<D> = string extends keyof D ? never : keyof D & string;

/** Dotted path in the document → condition; all must hold. Built from validated values only. */
export type Where = Readonly<Record<string, Condition>>;

export type WhereOf<D> = { readonly [P in PathOf<D>]?: Condition };

/** The conditions `W`. They do not compile with a path that documents of the type `D` do not have. */
export type Filter<D, W extends Where> = W & { readonly [P in keyof W]: P extends PathOf<D> ? Condition : never };

/**
 * A document with its log position. `null` is a tombstone: it prevents a replayed page from restoring a deleted
 * document.
 */
export interface Row<D extends object = object> {
  readonly id: string;
  /** Position of the last event that was applied to the document. */
  readonly position: Position;
  readonly document: D | null;
}

/**
 * Sizes of a group for each hour of one or two times of its documents. With them, neither a count of a time range nor
 * a page with a large offset reads all matching documents. A range of the first time reads the fewest sizes.
 */
export interface HourlySizes<P extends string = string> {
  readonly group: readonly P[];
  /** Paths of times in ISO 8601, in UTC with milliseconds; the value is null when a document has no such time. */
  readonly times: readonly [P] | readonly [P, P];
}

/**
 * The indexes and counts that a collection maintains. Paths are dotted; the document's own `id` always has an index.
 */
export interface CollectionSchema<P extends string = string> {
  /**
   * Each index is a list of paths, equality first, the order last: `['business.id', '_mode', 'created_at']`. A group
   * without a total is small: its index is preferred.
   */
  readonly indexes: readonly (readonly P[])[];
  /**
   * Indexes of only those documents that have a value at the path before the last: for values that few documents
   * have.
   */
  readonly sparse?: readonly (readonly P[])[];
  /** Groups whose exact size the store maintains: `['business.id', '_mode']`. */
  readonly totals?: readonly (readonly P[])[];
  readonly hourly?: readonly HourlySizes<P>[];
}

/** The position of a document in the order of a list. */
export interface SortKey {
  readonly value: Scalar;
  readonly id: string;
}

export interface FindQuery {
  readonly where: Where;
  /** The path to order by (`created_at`), then by id. */
  readonly orderBy: string;
  /** Default: descending. */
  readonly ascending?: boolean;
  /** Returns only documents strictly after this key in the order. */
  readonly after?: SortKey;
  readonly offset?: number;
  readonly limit: number;
}

/** A document as the JSON that its store keeps. */
export class JsonDocument {
  constructor(readonly json: string) {}
}

export function parseDocument<D extends object>(document: D | JsonDocument): D {
  return document instanceof JsonDocument ? (JSON.parse(document.json) as D) : document;
}

export interface Slice<D> {
  readonly documents: readonly D[];
  /** Where the next slice begins; null at the end of the list. */
  readonly next: SortKey | null;
}

/**
 * The documents of projections, by collection. They can be deleted and rebuilt from the log. No read returns a write
 * that may still be undone, and no write resolves before its result can no longer be undone.
 */
export abstract class ReadModels {
  /**
   * Creates the collection and its indexes if they are missing. `bulk`: many rows will be saved before the first
   * query, so the store may leave indexes and totals to the next call without `bulk`.
   */
  abstract ensureCollection(
    collection: string,
    schema: CollectionSchema,
    options?: { readonly bulk?: boolean },
  ): Promise<void>;
  /** Deletes the collection and the checkpoint of that name. */
  abstract dropCollection(collection: string): Promise<void>;

  /** Returns the rows that exist, tombstones included. */
  abstract load(collection: string, ids: readonly string[]): Promise<Row[]>;
  /** Returns rows after this id, tombstones included, ordered by their stored ids; null: from the first one. */
  abstract scan(collection: string, after: string | null, limit: number): Promise<Row[]>;
  /** Writes each row unless the stored row has the same or a later position. Durable before it resolves. */
  abstract upsert(collection: string, rows: readonly Row[]): Promise<void>;
  /** Replaces the stored row if its position is still `expected` (`''`: if it is missing). False otherwise. */
  abstract compareAndSet(collection: string, row: Row, expected: Position): Promise<boolean>;
  /** Deletes at most `limit` tombstones up to the position `upTo`. Returns how many it has deleted. */
  abstract deleteTombstones(collection: string, upTo: Position, limit: number): Promise<number>;
  /** Loads a document for a response; null when it does not exist. A store that keeps JSON does not parse it. */
  async loadUnparsed<D extends object>(collection: string, id: string): Promise<D | JsonDocument | null> {
    const [row] = await this.load(collection, [id]);
    return (row?.document ?? null) as D | null;
  }
  abstract find<D extends object>(collection: string, find: FindQuery): Promise<D[]>;
  /** Finds documents for a response. A store that keeps JSON does not parse it. */
  findUnparsed<D extends object>(collection: string, find: FindQuery): Promise<(D | JsonDocument)[]> {
    return this.find<D>(collection, find);
  }
  /**
   * Returns at most `limit` documents. The cost of one slice is bounded: when a filter skips thousands of documents,
   * the slice may be shorter although the list continues. `offset` is not supported.
   */
  async findSlice<D extends object>(collection: string, find: FindQuery): Promise<Slice<D>> {
    const found = await this.find<D>(collection, { ...find, limit: find.limit + 1 });
    const documents = found.slice(0, find.limit);
    return { documents, next: found.length > find.limit ? toSortKey(documents.at(-1)!, find.orderBy) : null };
  }
  /** Counts exactly. Cheap when a declared total or hourly sizes contain the result. */
  abstract count(collection: string, where: Where): Promise<number>;
}

/** Returns the sort key of a document in a list with this order. A document that does not show its id has an `_id`. */
export function toSortKey(document: object, orderBy: string): SortKey {
  const readPath = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], document);
  return { value: (readPath(orderBy) ?? null) as Scalar, id: (readPath('id') ?? readPath('_id')) as string };
}
