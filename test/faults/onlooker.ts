import { setTimeout as delay } from 'node:timers/promises';
import type { Recorded } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import type { Evidence } from '../support/evidence.js';
import { openChains, untoldEvents } from '../support/invariants/deliveries.js';
import { behind, checkpointsOf, strayCheckpoints } from '../support/invariants/read-models.js';

/** Without progress. What a process that was killed had begun ends with its lease, and on stores elsewhere no sooner. */
const PATIENCE_MS = 120_000;
const LOOK_AGAIN_MS = 500;

/** Looks at a store now and then while everything happens to it, and waits for it to come to rest. */
export class Onlooker {
  /** The log as it was read bit by bit. */
  readonly seen: Recorded[] = [];
  /** Checkpoints that were ahead of the log, or had moved back. */
  readonly strays: string[] = [];
  private checkpoints: ReadonlyMap<string, Position> = new Map();

  constructor(private readonly evidence: Evidence) {}

  async look(): Promise<void> {
    this.seen.push(...(await this.evidence.log(this.seen.at(-1)?.position)));
    this.strays.push(...(await strayCheckpoints(this.evidence, this.checkpoints)));
    this.checkpoints = await checkpointsOf(this.evidence);
  }

  /** What is still to be done once nothing more is asked; empty as soon as there is nothing. */
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
