import { type BackgroundWork, reportFailure, reportRecovery } from '../kernel/background-errors.js';
import { drawBackoff } from '../kernel/backoff.js';
import type { Clock, Random } from '../kernel/clock.js';

/** The latest error of repeated work, and the time of the first failure. */
export interface Failure {
  readonly error: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly tries: number;
}

export class AbortedError extends Error {
  /** @param failing the failure that was being retried at the abort */
  constructor(readonly failing: Failure | null = null) {
    super('stopped before completion');
    this.name = 'AbortedError';
  }
}

/** Retries work without limit, for stores that become available again. Reports the first failure, not each retry. */
export class Retrier {
  private readonly failures = new Set<Failure>();
  /** Failure that was being retried when a signal aborted, for other work that the same signal stops. */
  private readonly failureAtAbort = new WeakMap<AbortSignal, Failure>();

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly work: BackgroundWork,
  ) {}

  /** Failure of work that is being retried now, or null. */
  get failing(): Failure | null {
    return this.failures.values().next().value ?? null;
  }

  /**
   * Returns the result of the first run of `work` that does not throw. Endless work calls `onHealthy` when it has
   * recovered.
   * @param isRetryable whether an error is retried; other errors are rethrown
   * @throws AbortedError when the signal aborts first
   */
  async run<T>(
    work: (onHealthy: () => void) => Promise<T>,
    signal: AbortSignal,
    isRetryable: (error: unknown) => boolean = () => true,
  ): Promise<T> {
    let failure: Failure | null = null;
    const onHealthy = () => {
      if (failure === null) return;
      this.failures.delete(failure);
      reportRecovery(this.work);
      failure = null;
    };
    try {
      while (!signal.aborted) {
        try {
          return await work(onHealthy);
        } catch (error) {
          if (!isRetryable(error)) throw error;
          failure = this.recordFailure(failure, error);
          await this.clock.sleep(drawBackoff(failure.tries, this.random), signal);
        }
      }
      throw new AbortedError(this.recordAbort(signal, failure));
    } finally {
      onHealthy();
    }
  }

  private recordAbort(end: AbortSignal, own: Failure | null): Failure | null {
    const failure = own ?? this.failureAtAbort.get(end) ?? this.failing;
    if (failure !== null) this.failureAtAbort.set(end, failure);
    return failure;
  }

  private recordFailure(before: Failure | null, error: unknown): Failure {
    const failure = {
      error: describeError(error),
      since: before?.since ?? this.clock.now(),
      tries: (before?.tries ?? 0) + 1,
    };
    if (before === null) reportFailure(this.work, error);
    else this.failures.delete(before);
    this.failures.add(failure);
    return failure;
  }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
