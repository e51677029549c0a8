import type { Recorded } from '../../kernel/event.js';
import type { EventOf } from '../../kernel/projection.js';
import { failureClassOf } from './answer.js';
import type { ChainEvent } from './chain.js';

/** After so many retryable failures in a row, first attempts are held back. */
const FAILURES_IN_A_ROW = 10;

/** Whether an endpoint's first attempts are held back, as the ends of its attempts tell it. */
export interface Breaker {
  readonly failures_in_row: number;
  /** How often it has tripped since the receiver last answered. */
  readonly trips: number;
  readonly tripped_at: string | null;
}

export const CLOSED: Breaker = { failures_in_row: 0, trips: 0, tripped_at: null };

/** A receiver that refuses is there. What the service itself failed to send, or lost, says nothing of it. */
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

/** Once tripped, it trips again when the one attempt that was let through has failed; retries come on their own schedule. */
function afterFailure(breaker: Breaker, { data, meta }: EventOf<ChainEvent, 'AttemptFailed'>): Breaker {
  const failures_in_row = breaker.failures_in_row + 1;
  const trips = breaker.tripped_at === null ? failures_in_row >= FAILURES_IN_A_ROW : isProbe(breaker.tripped_at, data);
  return trips ? { failures_in_row, trips: breaker.trips + 1, tripped_at: meta.at } : { ...breaker, failures_in_row };
}

function isProbe(trippedAt: string, { attempt, startedAt }: { readonly attempt: number; readonly startedAt: string }): boolean {
  return attempt === 1 && startedAt > trippedAt;
}

/** In milliseconds since 1970, or null when first attempts need not wait. `waits`: seconds, by how often it has tripped; the last one stays. */
export function heldUntil({ trips, tripped_at }: Breaker, waits: readonly number[]): number | null {
  const seconds = waits[Math.min(trips, waits.length) - 1];
  return tripped_at === null || seconds === undefined ? null : Date.parse(tripped_at) + seconds * 1_000;
}
