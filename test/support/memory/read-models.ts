import type { BuildCatalogue, CatalogueEntry } from '../../../src/kernel/build-catalogue.js';
import type { Checkpoints } from '../../../src/kernel/checkpoints.js';
import type { Clock } from '../../../src/kernel/clock.js';
import type { Leases } from '../../../src/kernel/leases.js';
import { pickLater, type Position, START } from '../../../src/kernel/position.js';
import {
  type CollectionSchema,
  type Condition,
  type FindQuery,
  ReadModels,
  type Row,
  type Scalar,
  type Where,
} from '../../../src/kernel/read-models.js';

export interface MemoryLease {
  readonly holder: string | null;
  readonly token: number;
  readonly ends: number;
}

/** Documents, checkpoints, leases and the build catalogue in maps. Callers never share objects with them. */
export class MemoryReadModels extends ReadModels implements Checkpoints, Leases, BuildCatalogue {
  protected readonly collections = new Map<string, Map<string, Row>>();
  protected readonly checkpoints = new Map<string, Position>();
  protected readonly leases = new Map<string, MemoryLease>();
  protected readonly entries = new Map<string, CatalogueEntry>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async ensureCollection(collection: string, _shape: CollectionSchema): Promise<void> {
    if (!this.collections.has(collection)) this.collections.set(collection, new Map());
  }

  async dropCollection(collection: string): Promise<void> {
    this.collections.delete(collection);
    this.checkpoints.delete(collection);
  }

  async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    const rows = this.getRows(collection);
    return ids.flatMap((id) => structuredClone(rows.get(id)) ?? []);
  }

  async scan(collection: string, above: string | null, limit: number): Promise<Row[]> {
    const following = [...this.getRows(collection).values()].filter(({ id }) => id > (above ?? ''));
    return structuredClone(following.sort((a, b) => compare(a.id, b.id)).slice(0, limit));
  }

  async upsert(collection: string, rows: readonly Row[]): Promise<void> {
    const kept = this.collections.get(collection);
    if (kept === undefined) throw new Error(`${collection} is not prepared`);
    for (const row of rows) {
      if (row.position > (kept.get(row.id)?.position ?? START)) kept.set(row.id, toJson(row));
    }
  }

  async compareAndSet(collection: string, row: Row, expected: Position): Promise<boolean> {
    const kept = this.collections.get(collection);
    if (kept === undefined) throw new Error(`${collection} is not prepared`);
    if ((kept.get(row.id)?.position ?? START) !== expected) return false;
    kept.set(row.id, toJson(row));
    return true;
  }

  async deleteTombstones(collection: string, upTo: Position, limit: number): Promise<number> {
    const old = [...this.getRows(collection).values()].filter(
      ({ document, position }) => document === null && position <= upTo,
    );
    const swept = old.sort((a, b) => compare(a.position, b.position)).slice(0, limit);
    for (const { id } of swept) this.collections.get(collection)!.delete(id);
    return swept.length;
  }

  async find<D extends object>(
    collection: string,
    { where, orderBy, ascending, after, offset = 0, limit }: FindQuery,
  ): Promise<D[]> {
    const direction = ascending ? 1 : -1;
    const order = (a: SortKey, b: SortKey) => direction * (compare(a.value, b.value) || compare(a.id, b.id));
    const found = this.filterDocuments(collection, where)
      .map((document) => ({ value: getValue(document, orderBy), id: getValue(document, 'id') as string, document }))
      .filter((place) => after === undefined || order(after, place) < 0)
      .sort(order);
    return structuredClone(found.slice(offset, offset + limit).map(({ document }) => document)) as D[];
  }

  async count(collection: string, where: Where): Promise<number> {
    return this.filterDocuments(collection, where).length;
  }

  async listEntries(): Promise<CatalogueEntry[]> {
    return structuredClone([...this.entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  async compareAndSetEntry(name: string, expected: number, value: object): Promise<boolean> {
    if ((this.entries.get(name)?.revision ?? 0) !== expected) return false;
    this.entries.set(name, { name, revision: expected + 1, value: structuredClone(value) });
    return true;
  }

  async readCheckpoint(name: string): Promise<Position> {
    return this.checkpoints.get(name) ?? START;
  }

  async listCheckpointNames(): Promise<string[]> {
    return [...this.checkpoints.keys()].sort();
  }

  async advanceCheckpoints(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    for (const [name, position] of Object.entries(checkpoints)) {
      this.checkpoints.set(name, pickLater(this.checkpoints.get(name) ?? START, position));
    }
  }

  async rewindCheckpoints(names: readonly string[], to: Position): Promise<void> {
    for (const name of names) {
      const position = this.checkpoints.get(name);
      if (position !== undefined && position > to) this.checkpoints.set(name, to);
    }
  }

  async acquireLease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    const now = this.clock.now();
    const kept = this.leases.get(name) ?? { holder: null, token: 0, ends: 0 };
    if (kept.holder !== null && kept.holder !== holder && kept.ends > now) return null;
    const token = kept.holder === holder ? kept.token : kept.token + 1;
    this.leases.set(name, { holder, token, ends: now + ttlMs });
    return token;
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    const kept = this.leases.get(name);
    if (kept?.holder === holder) this.leases.set(name, { ...kept, holder: null, ends: 0 });
  }

  private getRows(collection: string): ReadonlyMap<string, Row> {
    return this.collections.get(collection) ?? new Map<string, Row>();
  }

  private filterDocuments(collection: string, where: Where): object[] {
    const conditions = Object.entries(where);
    return [...this.getRows(collection).values()]
      .map(({ document }) => document)
      .filter((document) => document !== null)
      .filter((document) => conditions.every(([path, condition]) => satisfies(getValue(document, path), condition)));
  }
}

/** Returns the ports of a store in memory, which are one object. */
export function toPorts<M extends MemoryReadModels>(models: M) {
  return { models, checkpoints: models, leases: models, catalogue: models };
}

interface SortKey {
  readonly value: Scalar;
  readonly id: string;
}

function toJson(row: Row): Row {
  return JSON.parse(JSON.stringify(row)) as Row;
}

function getValue(document: object, path: string): Scalar {
  const value = path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], document);
  return (value ?? null) as Scalar;
}

function satisfies(value: Scalar, condition: Condition): boolean {
  if (typeof condition !== 'object' || condition === null) return value === condition;
  if ('in' in condition) return condition.in.includes(value);
  const { from, to } = condition;
  return value !== null && (from === undefined || value >= from) && (to === undefined || value <= to);
}

/** Compares two values: null first, then by value. */
function compare(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}
