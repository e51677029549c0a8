import type { Recorded } from '../../kernel/event.js';
import type { EventOf } from '../../kernel/projection.js';
import { failureClassOf } from './answer.js';
import type { ChainEvent } from './chain.js';

/** After this number of consecutive retryable failures, the breaker opens and first attempts wait. */
const FAILURES_IN_A_ROW = 10;

/** The circuit breaker of an endpoint: it delays first attempts. Ended attempts change it. */
export interface Breaker {
  readonly failures_in_row: number;
  /** The number of openings since the last response of the receiver. */
  readonly trips: number;
  readonly tripped_at: string | null;
}

export const CLOSED: Breaker = { failures_in_row: 0, trips: 0, tripped_at: null };

/** Any 4xx closes the breaker, because the receiver is reachable. Failures of the service itself change nothing. */
export function breakerAfter(breaker: Breaker, end: Recorded): Breaker {
  if (end.type === 'AttemptSucceeded') return CLOSED;
  if (end.type !== 'AttemptFailed') return breaker;
  const failed = end as EventOf<ChainEvent, 'AttemptFailed'>;
  switch (failureClassOf(failed.data.reason)) {
    case 'client_error':
      return CLOSED;
    case 'service':
      return breaker;
    default:
      return afterFailure(breaker, failed);
  }
}

/** An open breaker opens again when its half-open attempt fails. Retries follow their own schedule and do not count. */
function afterFailure(breaker: Breaker, { data, meta }: EventOf<ChainEvent, 'AttemptFailed'>): Breaker {
  const failures_in_row = breaker.failures_in_row + 1;
  const trips = breaker.tripped_at === null ? failures_in_row >= FAILURES_IN_A_ROW : isProbe(breaker.tripped_at, data);
  return trips ? { failures_in_row, trips: breaker.trips + 1, tripped_at: meta.at } : { ...breaker, failures_in_row };
}

function isProbe(trippedAt: string, { attempt, startedAt }: { readonly attempt: number; readonly startedAt: string }): boolean {
  return attempt === 1 && startedAt > trippedAt;
}

/**
 * Returns milliseconds since 1970, or null when first attempts need not wait.
 * @param waits seconds for each consecutive opening; the last value applies to all further ones
 */
export function heldUntil({ trips, tripped_at }: Breaker, waits: readonly number[]): number | null {
  const seconds = waits[Math.min(trips, waits.length) - 1];
  return tripped_at === null || seconds === undefined ? null : Date.parse(tripped_at) + seconds * 1_000;
}
