import type { RecordedEvent } from '../../kernel/event.js';
import type { EventOf } from '../../kernel/projection.js';
import { classifyFailure } from './attempt-result.js';
import type { DeliveryChainEvent } from './delivery-chain/facts.js';

/** After this number of consecutive retryable failures, the breaker opens and first attempts wait. */
const FAILURE_THRESHOLD = 10;

/** The circuit breaker of an endpoint: it delays first attempts. Ended attempts change it. */
export interface CircuitBreaker {
  readonly failures_in_row: number;
  /** The number of openings since the last response of the receiver. */
  readonly trips: number;
  readonly tripped_at: string | null;
}

export const CLOSED: CircuitBreaker = { failures_in_row: 0, trips: 0, tripped_at: null };

/** Any 4xx closes the breaker, because the receiver is reachable. Failures of the service itself change nothing. */
export function applyAttemptEnd(breaker: CircuitBreaker, end: RecordedEvent): CircuitBreaker {
  if (end.type === 'AttemptSucceeded') return CLOSED;
  if (end.type !== 'AttemptFailed') return breaker;
  const failed = end as EventOf<DeliveryChainEvent, 'AttemptFailed'>;
  switch (classifyFailure(failed.data.reason)) {
    case 'client_error':
      return CLOSED;
    case 'service':
      return breaker;
    default:
      return countFailure(breaker, failed);
  }
}

/** An open breaker opens again when its half-open attempt fails. Retries follow their own schedule and do not count. */
function countFailure(
  breaker: CircuitBreaker,
  { data, meta }: EventOf<DeliveryChainEvent, 'AttemptFailed'>,
): CircuitBreaker {
  const failures_in_row = breaker.failures_in_row + 1;
  const trips =
    breaker.tripped_at === null ? failures_in_row >= FAILURE_THRESHOLD : isHalfOpenAttempt(breaker.tripped_at, data);
  return trips ? { failures_in_row, trips: breaker.trips + 1, tripped_at: meta.at } : { ...breaker, failures_in_row };
}

function isHalfOpenAttempt(
  trippedAt: string,
  { attempt, startedAt }: { readonly attempt: number; readonly startedAt: string },
): boolean {
  return attempt === 1 && startedAt > trippedAt;
}

/**
 * Returns milliseconds since 1970, or null when first attempts need not wait.
 * @param waits seconds for each consecutive opening; the last value applies to all further ones
 */
export function findOpenUntil({ trips, tripped_at }: CircuitBreaker, waits: readonly number[]): number | null {
  const seconds = waits[Math.min(trips, waits.length) - 1];
  return tripped_at === null || seconds === undefined ? null : Date.parse(tripped_at) + seconds * 1_000;
}
