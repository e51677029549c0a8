import { setTimeout as delay } from 'node:timers/promises';
import type { Recorded } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import type { Evidence } from '../support/evidence.js';
import { openChains, untoldEvents } from '../support/invariants/deliveries.js';
import { behind, checkpointsOf, strayCheckpoints } from '../support/invariants/read-models.js';

/**
 * The longest time without progress. The work of a killed process ends with its lease, which takes longest on external
 * stores.
 */
const PATIENCE_MS = 120_000;
const LOOK_AGAIN_MS = 500;

/** Observes a store during a trial and waits until all work is done. */
export class Onlooker {
  /** The log as read in parts during the trial. */
  readonly seen: Recorded[] = [];
  /** Checkpoints that were ahead of the log or moved back. */
  readonly strays: string[] = [];
  private checkpoints: ReadonlyMap<string, Position> = new Map();

  constructor(private readonly evidence: Evidence) {}

  async look(): Promise<void> {
    this.seen.push(...(await this.evidence.log(this.seen.at(-1)?.position)));
    this.strays.push(...(await strayCheckpoints(this.evidence, this.checkpoints)));
    this.checkpoints = await checkpointsOf(this.evidence);
  }

  /** Waits until all work is done; returns the work that is left at the timeout. */
  async settle(): Promise<string[]> {
    let [fewest, end] = [Infinity, 0];
    for (;;) {
      const open = await this.open();
      if (open.length < fewest) [fewest, end] = [open.length, Date.now() + PATIENCE_MS];
      if (open.length === 0 || Date.now() > end) return open;
      await delay(LOOK_AGAIN_MS);
    }
  }

  private async open(): Promise<string[]> {
    const late = await behind(this.evidence);
    const log = await this.evidence.log();
    return [...late, ...openChains(log), ...untoldEvents(log)];
  }
}
