import type { Clock, Random } from '../kernel/clock.js';

const BASE_MS = 20;
const CAP_MS = 5_000;

/** What something has been failing with, and since when. */
export interface Failure {
  readonly error: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly tries: number;
}

export class Stopped extends Error {
  constructor() {
    super('stopped before it was done');
    this.name = 'Stopped';
  }
}

/** Doubles with every failure up to the cap; between half of that and the whole, so that many do not come back at once. */
export function backoff(failures: number, random: Random, baseMs = BASE_MS, capMs = CAP_MS): number {
  return Math.min(capMs, baseMs * 2 ** (failures - 1)) * (0.5 + random.next() / 2);
}

/** Does not give up: for stores, which come back. */
export class Patience {
  private readonly failures = new Set<Failure>();

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** What is being repeated right now, or null. */
  get failing(): Failure | null {
    return this.failures.values().next().value ?? null;
  }

  /**
   * The outcome of the first run of `work` that does not throw.
   * @param repeats which errors are worth another run; the others are thrown on
   * @throws Stopped when the signal aborts first
   */
  async persist<T>(work: () => Promise<T>, signal: AbortSignal, repeats: (error: unknown) => boolean = () => true): Promise<T> {
    let failure: Failure | null = null;
    try {
      while (!signal.aborted) {
        try {
          return await work();
        } catch (error) {
          if (!repeats(error)) throw error;
          failure = this.failedAgain(failure, error);
          await this.clock.sleep(backoff(failure.tries, this.random), signal);
        }
      }
      throw new Stopped();
    } finally {
      if (failure !== null) this.failures.delete(failure);
    }
  }

  private failedAgain(before: Failure | null, error: unknown): Failure {
    const failure = { error: messageOf(error), since: before?.since ?? this.clock.now(), tries: (before?.tries ?? 0) + 1 };
    if (before !== null) this.failures.delete(before);
    this.failures.add(failure);
    return failure;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
