import { Clock } from '../../src/kernel/clock.js';
import type { SimulationRandom } from './seeded-random.js';
import type { Timeline } from './timeline.js';

export const START_TIME = Date.parse('2026-02-01T09:00:00.000Z');
/** The longest delay of a timer. */
const MAX_TIMER_DELAY_MS = 2;

/** The lifecycle of a process: it can crash or pause at any await. */
export class ProcessLifecycle {
  private pausedUntil = 0;
  private ended = false;

  constructor(
    readonly name: string,
    readonly timeline: Timeline,
    readonly random: SimulationRandom,
  ) {}

  get hasEnded(): boolean {
    return this.ended;
  }

  end(): void {
    this.ended = true;
  }

  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.timeline.now + ms);
  }

  /**
   * Schedules a task of this process. It does not run after the process has ended or while it is paused. Returns a
   * function that cancels the task.
   */
  schedule(ms: number, happen: () => void): () => void {
    const task = { happen, dropped: false };
    this.scheduleTask(ms, task);
    return () => void (task.dropped = true);
  }

  private scheduleTask(ms: number, task: { readonly happen: () => void; dropped: boolean }): void {
    this.timeline.after(ms, () => {
      if (this.hasEnded || task.dropped) return false;
      const left = this.pausedUntil - this.timeline.now;
      return left > 0 ? this.scheduleTask(left + this.random.between(0, MAX_TIMER_DELAY_MS), task) : task.happen();
    });
  }
}

/** The clock of one machine. Its wall clock differs from others and jumps; its monotonic clock does not. */
export class MachineClock extends Clock {
  constructor(
    private readonly life: ProcessLifecycle,
    private aheadMs = 0,
  ) {
    super();
  }

  shift(ms: number): void {
    this.aheadMs += ms;
  }

  now(): number {
    return START_TIME + Math.floor(this.life.timeline.now + this.aheadMs);
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
      const drop = this.life.schedule(Math.max(0, ms) + this.life.random.between(0, MAX_TIMER_DELAY_MS), wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}
