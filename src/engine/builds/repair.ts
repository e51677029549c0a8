import type { Clock } from '../../kernel/clock.js';
import { StoreUnavailable, type EventStore } from '../../kernel/event-store.js';
import { later } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { refolded } from '../projecting/refolded.js';
import { Skips, skipping } from '../projecting/skips.js';
import { canonical } from './canonical.js';
import { noRow } from './folding.js';

const TRIES = 10;
/** A page that was begun with the wrong document is saved by then. */
const SETTLED_MS = 500;

export interface RepairTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

/** Puts one document right in a build that is followed meanwhile. */
export class Repair<D extends object> {
  constructor(
    private readonly projection: Projection<D>,
    private readonly id: string,
    private readonly tools: RepairTools,
  ) {}

  /** Whether it was wrong. */
  async in(build: string): Promise<boolean> {
    let repaired = false;
    for (let tries = 1; tries <= TRIES; tries++) {
      const kept = await this.keptIn(build);
      const told = await this.toldUpTo(later(await this.tools.readModels.checkpoint(build), kept.position));
      if (isSame(kept, told)) return repaired;
      repaired = (await this.tools.readModels.replace(build, told, kept.position)) || repaired;
      await this.tools.clock.sleep(SETTLED_MS);
    }
    throw new StoreUnavailable(`${this.id} changes too often in ${build}`, false);
  }

  private async keptIn(build: string): Promise<Row<D>> {
    const [row] = await this.tools.readModels.load(build, [this.id]);
    return (row as Row<D> | undefined) ?? noRow<D>(this.id);
  }

  private async toldUpTo(position: string): Promise<Row<D>> {
    const { store } = this.tools;
    const skips = new Skips(store, this.projection.name);
    await skips.load();
    return (await refolded(skipping(this.projection, skips), [this.id], position, store))[0]!;
  }
}

function isSame(kept: Row, told: Row): boolean {
  return told.position <= kept.position && canonical(kept.document) === canonical(told.document);
}
