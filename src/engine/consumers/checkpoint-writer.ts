import { reportAndIgnore } from '../../kernel/background-errors.js';
import type { Checkpoints } from '../../kernel/checkpoints.js';
import type { Clock, Random } from '../../kernel/clock.js';
import { pickLater, type Position } from '../../kernel/position.js';
import { AsyncSignal } from '../async-signal.js';
import { type Failure, Retrier } from '../retrier.js';

/**
 * Maximum delay of a checkpoint that moved without applied events. Processes that do not lead a build wait for this
 * checkpoint.
 */
const IDLE_FLUSH_MS = 25;
/** Minimum time between two writes: each write is a commit, which other writers wait for. */
const MIN_INTERVAL_MS = 10;
const WORK = { kind: 'loop', name: 'checkpoint writer' } as const;

/**
 * Writes the checkpoints of the runners, after the events are applied and never before. One write runs at a time;
 * checkpoints that move during a write share the next write. A late checkpoint is always safe, so no caller waits for
 * it.
 */
export class CheckpointWriter {
  private readonly pending = new Map<string, Position>();
  /** Names of pending checkpoints with applied events. */
  private pendingWork = new Set<string>();
  private flushedAllAt = -Infinity;
  private readonly dirty: AsyncSignal;
  private readonly flushSoon: AsyncSignal;
  private readonly retrier: Retrier;

  constructor(
    private readonly checkpoints: Checkpoints,
    private readonly clock: Clock,
    random: Random,
  ) {
    this.dirty = new AsyncSignal(clock);
    this.flushSoon = new AsyncSignal(clock);
    this.retrier = new Retrier(clock, random, WORK);
  }

  get failing(): Failure | null {
    return this.retrier.failing;
  }

  /** @param worked events were applied: the checkpoint is written soon, since other processes may wait for it */
  record(name: string, position: Position, worked: boolean): void {
    this.pending.set(name, pickLater(this.pending.get(name) ?? position, position));
    this.dirty.notify();
    if (!worked) return;
    this.pendingWork.add(name);
    this.flushSoon.notify();
  }

  /** Writes until the signal aborts, and then tries once to write the remaining checkpoints. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.notifyAll(), { once: true });
    while (!signal.aborted) {
      await this.dirty.wait();
      if (this.pendingWork.size === 0 && !signal.aborted) await this.flushSoon.wait(IDLE_FLUSH_MS);
      await this.retrier.run(() => this.write(this.listDue()), signal).catch(reportAndIgnore(WORK));
      if (this.pending.size > 0) this.dirty.notify();
      await this.clock.sleep(MIN_INTERVAL_MS, signal);
    }
    await this.write([...this.pending]).catch(reportAndIgnore(WORK));
  }

  private notifyAll(): void {
    this.dirty.notify();
    this.flushSoon.notify();
  }

  /** Returns the checkpoints to write now. Checkpoints without applied events are included at intervals. */
  private listDue(): [string, Position][] {
    const now = this.clock.monotonic();
    if (now - this.flushedAllAt < IDLE_FLUSH_MS)
      return [...this.pending].filter(([name]) => this.pendingWork.has(name));
    this.flushedAllAt = now;
    return [...this.pending];
  }

  private async write(batch: readonly [string, Position][]): Promise<void> {
    if (batch.length === 0) return;
    const { pendingWork } = this;
    this.pendingWork = new Set();
    try {
      await this.checkpoints.advanceCheckpoints(Object.fromEntries(batch));
    } catch (error) {
      this.pendingWork = new Set([...pendingWork, ...this.pendingWork]);
      throw error;
    }
    for (const [name, position] of batch) if (this.pending.get(name) === position) this.pending.delete(name);
  }
}
