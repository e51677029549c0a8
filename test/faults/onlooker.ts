import { setTimeout as delay } from 'node:timers/promises';
import type { Recorded } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import type { Evidence } from '../support/evidence.js';
import { openChains, untoldEvents } from '../support/invariants/deliveries.js';
import { behind, checkpointsOf, strayCheckpoints } from '../support/invariants/read-models.js';

/** What a process that was killed had begun ends with its lease, and on stores elsewhere no sooner. */
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
    const end = Date.now() + PATIENCE_MS;
    let open = await this.open();
    while (open.length > 0 && Date.now() < end) {
      await delay(LOOK_AGAIN_MS);
      open = await this.open();
    }
    return open;
  }

  private async open(): Promise<string[]> {
    const late = await behind(this.evidence);
    if (late.length > 0) return late;
    const log = await this.evidence.log();
    return [...openChains(log), ...untoldEvents(log)];
  }
}
