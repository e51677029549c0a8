import type { Clock, Random } from '../../kernel/clock.js';
import { later, type Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { Bell } from '../bell.js';
import { Patience, type Failure } from '../patience.js';

/**
 * Maximum delay of a checkpoint that moved without applied events. Processes that do not lead a build wait for this
 * checkpoint.
 */
const LAZY_MS = 25;
/** Minimum time between two writes: each write is a commit, which other writers wait for. */
const PAUSE_MS = 10;

/**
 * Writes the checkpoints of the runners, after the events are applied and never before. One write runs at a time;
 * checkpoints that move during a write share the next write. A late checkpoint is always safe, so no caller waits for
 * it.
 */
export class Checkpoints {
  private readonly moved = new Map<string, Position>();
  /** Names of pending checkpoints with applied events. */
  private worked = new Set<string>();
  private wroteAllAt = -Infinity;
  private readonly news: Bell;
  private readonly hurry: Bell;
  private readonly patience: Patience;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    random: Random,
  ) {
    this.news = new Bell(clock);
    this.hurry = new Bell(clock);
    this.patience = new Patience(clock, random);
  }

  get failing(): Failure | null {
    return this.patience.failing;
  }

  /** @param worked events were applied: the checkpoint is written soon, since other processes may wait for it */
  reached(name: string, position: Position, worked: boolean): void {
    this.moved.set(name, later(this.moved.get(name) ?? position, position));
    this.news.ring();
    if (!worked) return;
    this.worked.add(name);
    this.hurry.ring();
  }

  /** Writes until the signal aborts, and then tries once to write the remaining checkpoints. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.ringAll(), { once: true });
    while (!signal.aborted) {
      await this.news.wait();
      if (this.worked.size === 0 && !signal.aborted) await this.hurry.wait(LAZY_MS);
      await this.patience.persist(() => this.write(this.due()), signal).catch(() => undefined);
      if (this.moved.size > 0) this.news.ring();
      await this.clock.sleep(PAUSE_MS, signal);
    }
    await this.write([...this.moved]).catch(() => undefined);
  }

  private ringAll(): void {
    this.news.ring();
    this.hurry.ring();
  }

  /** Returns the checkpoints to write now. Checkpoints without applied events are included at intervals. */
  private due(): [string, Position][] {
    const now = this.clock.monotonic();
    if (now - this.wroteAllAt < LAZY_MS) return [...this.moved].filter(([name]) => this.worked.has(name));
    this.wroteAllAt = now;
    return [...this.moved];
  }

  private async write(batch: readonly [string, Position][]): Promise<void> {
    if (batch.length === 0) return;
    const { worked } = this;
    this.worked = new Set();
    try {
      await this.readModels.advance(Object.fromEntries(batch));
    } catch (error) {
      this.worked = new Set([...worked, ...this.worked]);
      throw error;
    }
    for (const [name, position] of batch) if (this.moved.get(name) === position) this.moved.delete(name);
  }
}
