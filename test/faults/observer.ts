import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import { findOpenChains, findUnpublishedEvents } from '../support/invariants/deliveries.js';
import { findOpenExports } from '../support/invariants/hash-chains.js';
import { findLaggingCheckpoints, findStrayCheckpoints, readCheckpoints } from '../support/invariants/read-models.js';
import type { StoreInspector } from '../support/store-inspector.js';

/**
 * The longest time without progress. The work of a killed process ends with its lease, which takes longest on external
 * stores.
 */
const TIMEOUT_MS = 120_000;
const POLL_MS = 500;

/** Observes a store during a trial and waits until all work is done. */
export class Observer {
  /** The log as read in parts during the trial. */
  readonly seen: RecordedEvent[] = [];
  /** Checkpoints that were ahead of the log or moved back. */
  readonly strayCheckpoints: string[] = [];
  private checkpoints: ReadonlyMap<string, Position> = new Map();

  constructor(private readonly evidence: StoreInspector) {}

  async observe(): Promise<void> {
    this.seen.push(...(await this.evidence.readLog(this.seen.at(-1)?.position)));
    this.strayCheckpoints.push(...(await findStrayCheckpoints(this.evidence, this.checkpoints)));
    this.checkpoints = await readCheckpoints(this.evidence);
  }

  /** Waits until all work is done; returns the work that is left at the timeout. */
  async waitUntilDone(): Promise<string[]> {
    let [fewest, end] = [Infinity, 0];
    for (;;) {
      const open = await this.findUnfinishedWork();
      if (open.length < fewest) [fewest, end] = [open.length, Date.now() + TIMEOUT_MS];
      if (open.length === 0 || Date.now() > end) return open;
      await delay(POLL_MS);
    }
  }

  private async findUnfinishedWork(): Promise<string[]> {
    const late = await findLaggingCheckpoints(this.evidence);
    const log = await this.evidence.readLog();
    return [...late, ...findOpenChains(log), ...findOpenExports(log), ...findUnpublishedEvents(log)];
  }
}
