import type { Position } from './position.js';

export type Scalar = string | number | boolean | null;

/** Equal to a scalar, one of several, or within a range (both ends inclusive). */
export type Condition = Scalar | { readonly in: readonly Scalar[] } | { readonly from?: string | number; readonly to?: string | number };

/** Dotted path in the document → condition; all must hold. Built from validated values only. */
export type Where = Readonly<Record<string, Condition>>;

/** A document with its place in the log. `null` is a tombstone: a replayed page cannot raise the dead. */
export interface Row<D extends object = object> {
  readonly id: string;
  /** Position of the last event that was folded into the document. */
  readonly position: Position;
  readonly document: D | null;
}

/**
 * Sizes of a group, kept for each hour of one or two times of its documents, so that neither a count of a range nor a page far down a
 * list walks along all that match. A range of the first time reads the fewest sizes.
 */
export interface Hourly {
  readonly group: readonly string[];
  /** Paths of times in ISO 8601, in UTC with milliseconds; null where a document has none. */
  readonly times: readonly [string] | readonly [string, string];
}

/** What a collection is asked for. Paths are dotted; the document's own `id` is always an index. */
export interface Shape {
  /** Each index is a list of paths, equality first, the order last: `['business.id', '_mode', 'created_at']`. */
  readonly indexes: readonly (readonly string[])[];
  /** Indexes of the documents alone that have a value at the path before the last: for what few documents have. */
  readonly sparse?: readonly (readonly string[])[];
  /** Groups whose exact size is kept with the documents: `['business.id', '_mode']`. */
  readonly totals?: readonly (readonly string[])[];
  readonly hourly?: readonly Hourly[];
}

/** A place in a list's order. */
export interface Place {
  readonly value: Scalar;
  readonly id: string;
}

export interface Find {
  readonly where: Where;
  /** Order by this path and then by id (`created_at`). */
  readonly orderBy: string;
  /** Default: descending. */
  readonly ascending?: boolean;
  /** Only what lies strictly behind this place in the order. */
  readonly after?: Place;
  readonly offset?: number;
  readonly limit: number;
}

/** A piece of a list. */
export interface Slice<D> {
  readonly documents: readonly D[];
  /** Where the next slice begins; null when there is nothing after this one. */
  readonly next: Place | null;
}

/** What is written down about a projection's builds. Changed as a whole, by whoever has seen its last revision. */
export interface CatalogueEntry {
  /** `products@1`. */
  readonly name: string;
  /** 1 at first; grows by one with every change. */
  readonly revision: number;
  readonly value: object;
}

/**
 * What projections keep, by collection. Can be thrown away and rebuilt from the log. No read shows a write that may still be undone, and no
 * write answers before that holds for whatever it answers.
 */
export abstract class ReadModels {
  /**
   * Makes the collection when it is absent, and its indexes when they are. `bulk`: much will be saved before anything is asked for, so a
   * store may leave indexes and totals to the next call without it.
   */
  abstract prepare(collection: string, shape: Shape, options?: { readonly bulk?: boolean }): Promise<void>;
  /** With the checkpoint of that name. */
  abstract drop(collection: string): Promise<void>;

  /** Rows that exist, tombstones included. */
  abstract load(collection: string, ids: readonly string[]): Promise<Row[]>;
  /** Rows behind this id, tombstones included, in the order of the ids under which they are kept; null: from the first on. */
  abstract page(collection: string, above: string | null, limit: number): Promise<Row[]>;
  /** Guarded: a row whose position is not above the kept one is left as it is. Durable before it resolves. */
  abstract save(collection: string, rows: readonly Row[]): Promise<void>;
  /** Puts the row in the place of the kept one if that is still at `expected` (`''`: if there is none). False when it is not. */
  abstract replace(collection: string, row: Row, expected: Position): Promise<boolean>;
  /** Deletes tombstones whose position is not above `upTo`, at most `limit` of them. How many it has deleted. */
  abstract sweep(collection: string, upTo: Position, limit: number): Promise<number>;
  abstract find<D extends object>(collection: string, find: Find): Promise<D[]>;
  /**
   * At most `limit` documents, and fewer before the end of the list where a filter would have to pass over thousands: the cost of one
   * slice is bounded. `offset` is not for slices.
   */
  async slice<D extends object>(collection: string, find: Find): Promise<Slice<D>> {
    const found = await this.find<D>(collection, { ...find, limit: find.limit + 1 });
    const documents = found.slice(0, find.limit);
    return { documents, next: found.length > find.limit ? placeIn(documents.at(-1)!, find.orderBy) : null };
  }
  /** Exact. Cheap where a declared total or hourly sizes answer it. */
  abstract count(collection: string, where: Where): Promise<number>;

  /** Every entry, by name. */
  abstract catalogue(): Promise<CatalogueEntry[]>;
  /** Changes one entry, all of it or nothing. False when its revision is not `expected` (0: there is none). */
  abstract enter(name: string, expected: number, value: object): Promise<boolean>;

  /** `''` when there is none. */
  abstract checkpoint(name: string): Promise<Position>;
  /** Of all that there are. */
  abstract checkpointNames(): Promise<string[]>;
  /** Moves checkpoints forward; one that is further already stays where it is. */
  abstract advance(checkpoints: Readonly<Record<string, Position>>): Promise<void>;
  /** Moves the checkpoints of these names back to the position; one that is not beyond it stays. For operators, while nothing runs. */
  abstract rewind(names: readonly string[], to: Position): Promise<void>;

  /**
   * Takes or keeps the lease for `ttlMs` of the store's time. The answer is a fencing token that grows with each new holder,
   * or null while somebody else holds it.
   */
  abstract lease(name: string, holder: string, ttlMs: number): Promise<number | null>;
  abstract release(name: string, holder: string): Promise<void>;
}

/** Of a document in a list that has this order. */
export function placeIn(document: object, orderBy: string): Place {
  const at = (path: string) => path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], document);
  return { value: (at(orderBy) ?? null) as Scalar, id: at('id') as string };
}
