import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Position } from '../../../src/kernel/position.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { MemoryReadModels } from './read-models.js';

/** Read models that are away for a while, and that write down which checkpoints they were told. */
export class FaultyReadModels extends MemoryReadModels {
  /** Collections that cannot be written to. */
  readonly away = new Set<string>();
  checkpointsAway = false;
  /** Called before anything else can happen, when checkpoints have been written. */
  onAdvance: () => void = () => undefined;
  readonly advances: Readonly<Record<string, Position>>[] = [];
  readonly saves: { readonly collection: string; readonly ids: readonly string[] }[] = [];

  override async save(collection: string, rows: readonly Row[]): Promise<void> {
    if (this.away.has(collection)) throw new StoreUnavailable(`${collection} is away`, false);
    this.saves.push({ collection, ids: rows.map(({ id }) => id) });
    await super.save(collection, rows);
  }

  override async advance(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    if (this.checkpointsAway) throw new StoreUnavailable('checkpoints are away', false);
    this.advances.push(checkpoints);
    const advanced = super.advance(checkpoints);
    this.onAdvance();
    await advanced;
  }
}
