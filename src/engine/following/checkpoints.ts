import type { Clock, Random } from '../../kernel/clock.js';
import { later, type Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { Bell } from '../bell.js';
import { Patience, type Failure } from '../patience.js';

/** How long a checkpoint that moved over nothing may wait for company. */
const LAZY_MS = 100;

/**
 * Writes down how far each runner has come: after it has come there, never before. One write at a time; whatever moves meanwhile shares
 * the next. A checkpoint that lags is always safe, so nobody waits for it.
 */
export class Checkpoints {
  private moved = new Map<string, Position>();
  private urgent = false;
  private readonly news: Bell;
  private readonly hurry: Bell;
  private readonly patience: Patience;

  constructor(
    private readonly readModels: ReadModels,
    clock: Clock,
    random: Random,
  ) {
    this.news = new Bell(clock);
    this.hurry = new Bell(clock);
    this.patience = new Patience(clock, random);
  }

  get failing(): Failure | null {
    return this.patience.failing;
  }

  /** @param worked something was applied on the way: written at once, since other processes may wait for it */
  reached(name: string, position: Position, worked: boolean): void {
    this.moved.set(name, later(this.moved.get(name) ?? position, position));
    this.news.ring();
    if (!worked) return;
    this.urgent = true;
    this.hurry.ring();
  }

  /** Until the signal aborts; what is not yet written then is written last, if the store lets it. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.ringAll(), { once: true });
    while (!signal.aborted) {
      await this.news.wait();
      if (!this.urgent && !signal.aborted) await this.hurry.wait(LAZY_MS);
      await this.patience.persist(() => this.write(), signal).catch(() => undefined);
    }
    await this.write().catch(() => undefined);
  }

  private ringAll(): void {
    this.news.ring();
    this.hurry.ring();
  }

  private async write(): Promise<void> {
    const batch = this.moved;
    if (batch.size === 0) return;
    this.moved = new Map();
    this.urgent = false;
    try {
      await this.readModels.advance(Object.fromEntries(batch));
    } catch (error) {
      this.moved = new Map([...batch, ...this.moved]);
      throw error;
    }
  }
}
