import { Clock, Random } from '../../src/kernel/clock.js';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** How many turns of the event loop count as "nothing happens any more". */
const QUIET_TURNS = 10;

/** Time that passes when the test says so. */
export class ManualClock extends Clock {
  private elapsed = 0;
  private readonly sleepers = new Set<Sleeper>();

  constructor(private readonly start = Date.parse('2026-02-01T09:00:00.000Z')) {
    super();
  }

  now(): number {
    return this.start + this.elapsed;
  }

  monotonic(): number {
    return this.elapsed;
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

  /** Lets `ms` pass: sleepers wake in their order, and what they do is done before the next one wakes. */
  async advance(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    await settled();
    for (let next = this.nextBefore(end); next !== undefined; next = this.nextBefore(end)) {
      this.elapsed = Math.max(this.elapsed, next.until);
      next.wake();
      await settled();
    }
    this.elapsed = end;
    await settled();
  }

  private nextBefore(end: number): Sleeper | undefined {
    return [...this.sleepers].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
  }
}

/** When all that could run without time passing has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn++) await new Promise(setImmediate);
}

/** Time that passes as soon as somebody waits for it. */
export class EagerClock extends ManualClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const slept = super.sleep(ms, signal);
    await this.advance(ms);
    await slept;
  }
}

/** Lots that are always the same, in a sequence of its own. */
export class SeededRandom extends Random {
  constructor(private seed = 1) {
    super();
  }

  next(): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.seed / 2 ** 32;
  }
}
