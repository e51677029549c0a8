import { Clock } from '../../src/kernel/clock.js';
import type { Luck } from './luck.js';
import type { Timeline } from './timeline.js';

export const BEGINNING = Date.parse('2026-02-01T09:00:00.000Z');
/** The longest delay of a timer. */
const LATE_MS = 2;

/** The lifecycle of a process: it can crash or pause at any await. */
export class Life {
  private standsStillUntil = 0;
  private ended = false;

  constructor(
    readonly name: string,
    readonly timeline: Timeline,
    readonly luck: Luck,
  ) {}

  get over(): boolean {
    return this.ended;
  }

  end(): void {
    this.ended = true;
  }

  standStill(ms: number): void {
    this.standsStillUntil = Math.max(this.standsStillUntil, this.timeline.now + ms);
  }

  /**
   * Schedules a task of this process. It does not run after the process has ended or while it is paused. Returns a
   * function that cancels the task.
   */
  after(ms: number, happen: () => void): () => void {
    const task = { happen, dropped: false };
    this.wait(ms, task);
    return () => void (task.dropped = true);
  }

  private wait(ms: number, task: { readonly happen: () => void; dropped: boolean }): void {
    this.timeline.after(ms, () => {
      if (this.over || task.dropped) return false;
      const left = this.standsStillUntil - this.timeline.now;
      return left > 0 ? this.wait(left + this.luck.between(0, LATE_MS), task) : task.happen();
    });
  }
}

/** The clock of one machine. Its wall clock differs from others and jumps; its monotonic clock does not. */
export class MachineClock extends Clock {
  constructor(
    private readonly life: Life,
    private aheadMs = 0,
  ) {
    super();
  }

  jump(ms: number): void {
    this.aheadMs += ms;
  }

  now(): number {
    return BEGINNING + Math.floor(this.life.timeline.now + this.aheadMs);
  }

  monotonic(): number {
    return this.life.timeline.now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        drop();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const drop = this.life.after(Math.max(0, ms) + this.life.luck.between(0, LATE_MS), wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}
