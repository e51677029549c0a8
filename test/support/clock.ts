import { Clock, Random } from '../../src/kernel/clock.js';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** The event loop counts as idle after this number of turns. */
const IDLE_TURNS = 10;

/** A clock that advances only by `advance`. */
export class ManualClock extends Clock {
  private elapsed = 0;
  private readonly sleepers = new Set<Sleeper>();

  constructor(private start = Date.parse('2026-02-01T09:00:00.000Z')) {
    super();
  }

  now(): number {
    return this.start + this.elapsed;
  }

  monotonic(): number {
    return this.elapsed;
  }

  /** Sets the time of day back, as a clock that was ahead. Durations do not change. */
  setBack(ms: number): void {
    this.start -= ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const sleeper = { until: this.elapsed + ms, wake: () => end() };
      const end = () => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  /** Advances the clock by `ms`: wakes sleepers in order and lets each finish its work before the next wakes. */
  async advance(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    await waitUntilIdle();
    for (let next = this.findNextSleeper(end); next !== undefined; next = this.findNextSleeper(end)) {
      this.elapsed = Math.max(this.elapsed, next.until);
      next.wake();
      await waitUntilIdle();
    }
    this.elapsed = end;
    await waitUntilIdle();
  }

  private findNextSleeper(end: number): Sleeper | undefined {
    return [...this.sleepers].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
  }
}

/** Resolves when no work can proceed without the clock. */
export async function waitUntilIdle(): Promise<void> {
  for (let turn = 0; turn < IDLE_TURNS; turn++) await new Promise(setImmediate);
}

/** A clock that advances at once when a caller sleeps. */
export class EagerClock extends ManualClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const slept = super.sleep(ms, signal);
    await this.advance(ms);
    await slept;
  }
}

/** A deterministic generator of pseudo-random numbers. */
export class SeededRandom extends Random {
  constructor(private seed = 1) {
    super();
  }

  next(): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.seed / 2 ** 32;
  }
}
