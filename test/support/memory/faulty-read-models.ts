import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Position } from '../../../src/kernel/position.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { MemoryReadModels } from './read-models.js';

/** Read models that can be unavailable, and that record the writes. */
export class FaultyReadModels extends MemoryReadModels {
  /** Collections that refuse writes. */
  readonly unavailableCollections = new Set<string>();
  checkpointsUnavailable = false;
  /** Called synchronously after checkpoints were written. */
  onAdvance: () => void = () => undefined;
  /** Awaited after rows were loaded. */
  onLoad: () => Promise<void> = () => Promise.resolve();
  readonly advances: Readonly<Record<string, Position>>[] = [];
  /** The collections whose tombstones were swept. */
  readonly sweeps: string[] = [];
  readonly saves: { readonly collection: string; readonly ids: readonly string[] }[] = [];

  override async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    const rows = await super.load(collection, ids);
    await this.onLoad();
    return rows;
  }

  override async upsert(collection: string, rows: readonly Row[]): Promise<void> {
    if (this.unavailableCollections.has(collection)) throw new StoreUnavailable(`${collection} is unavailable`, false);
    this.saves.push({ collection, ids: rows.map(({ id }) => id) });
    await super.upsert(collection, rows);
  }

  override deleteTombstones(collection: string, upTo: Position, limit: number): Promise<number> {
    this.sweeps.push(collection);
    return super.deleteTombstones(collection, upTo, limit);
  }

  override async advanceCheckpoints(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    if (this.checkpointsUnavailable) throw new StoreUnavailable('checkpoints are unavailable', false);
    this.advances.push(checkpoints);
    const advanced = super.advanceCheckpoints(checkpoints);
    this.onAdvance();
    await advanced;
  }
}
