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

/** What a collection is asked for. Paths are dotted; the document's own `id` is always an index. */
export interface Shape {
  /** Each index is a list of paths, equality first, the order last: `['business.id', '_mode', 'created_at']`. */
  readonly indexes: readonly (readonly string[])[];
  /** Groups whose exact size is kept with the documents: `['business.id', '_mode']`. */
  readonly totals?: readonly (readonly string[])[];
}

export interface Find {
  readonly where: Where;
  /** Order by this path and then by id (`created_at`). */
  readonly orderBy: string;
  /** Default: descending. */
  readonly ascending?: boolean;
  /** Only what lies strictly behind this place in the order. */
  readonly after?: { readonly value: Scalar; readonly id: string };
  readonly offset?: number;
  readonly limit: number;
}

/** What projections keep, by collection. Can be thrown away and rebuilt from the log. */
export abstract class ReadModels {
  /** Makes the collection when it is absent, and its indexes when they are. */
  abstract prepare(collection: string, shape: Shape): Promise<void>;
  abstract drop(collection: string): Promise<void>;

  /** Rows that exist, tombstones included. */
  abstract load(collection: string, ids: readonly string[]): Promise<Row[]>;
  /** Guarded: a row whose position is not above the kept one is left as it is. Durable before it resolves. */
  abstract save(collection: string, rows: readonly Row[]): Promise<void>;
  abstract find<D extends object>(collection: string, find: Find): Promise<D[]>;
  /** Exact. Cheap where a declared total answers it. */
  abstract count(collection: string, where: Where): Promise<number>;

  /** `''` when there is none. */
  abstract checkpoint(name: string): Promise<Position>;
  /** Moves checkpoints forward; one that is further already stays where it is. */
  abstract advance(checkpoints: Readonly<Record<string, Position>>): Promise<void>;

  /**
   * Takes or keeps the lease for `ttlMs` of the store's time. The answer is a fencing token that grows with each new holder,
   * or null while somebody else holds it.
   */
  abstract lease(name: string, holder: string, ttlMs: number): Promise<number | null>;
  abstract release(name: string, holder: string): Promise<void>;
}
