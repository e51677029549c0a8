import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { START, type Position } from '../kernel/position.js';
import { ReadModels } from '../kernel/read-models.js';

const POLL_MS = 10;

interface Waiting {
  readonly position: Position;
  readonly wake: () => void;
}

/** Lets a read wait until what is kept under a checkpoint's name has reached a position. */
@Injectable()
export class Waiters {
  private readonly applied = new Map<string, Position>();
  private readonly waiting = new Map<string, Set<Waiting>>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** Everything up to here is applied, and can be read. From the first call on, the name is run by this process. */
  reached(name: string, position: Position): void {
    this.applied.set(name, position);
    for (const waiting of this.waiting.get(name) ?? []) if (waiting.position <= position) waiting.wake();
  }

  /** This process no longer runs it: whoever waits asks the store from now on. */
  left(name: string): void {
    this.applied.delete(name);
  }

  /** True once the position is reached; false when that takes longer than `ms`. */
  async until(name: string, position: Position, ms: number): Promise<boolean> {
    if (position === START || this.has(name, position)) return true;
    return this.applied.has(name) ? this.told(name, position, ms) : this.polled(name, position, ms);
  }

  private has(name: string, position: Position): boolean {
    const applied = this.applied.get(name);
    return applied !== undefined && applied >= position;
  }

  private async told(name: string, position: Position, ms: number): Promise<boolean> {
    const controller = new AbortController();
    const waiting = { position, wake: () => controller.abort() };
    const others = this.waiting.get(name) ?? new Set();
    this.waiting.set(name, others.add(waiting));
    await this.clock.sleep(ms, controller.signal);
    others.delete(waiting);
    return this.has(name, position);
  }

  private async polled(name: string, position: Position, ms: number): Promise<boolean> {
    const end = this.clock.monotonic() + ms;
    while ((await this.readModels.checkpoint(name)) < position) {
      const left = end - this.clock.monotonic();
      if (left <= 0) return false;
      await this.clock.sleep(Math.min(POLL_MS, left));
    }
    return true;
  }
}
