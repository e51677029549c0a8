import type { Fact, NewEvent } from '../../kernel/event.js';
import { classifyFailure, type FailureClass } from '../../webhooks/domain/attempt-result.js';
import type { DeliveryChainEvent } from '../../webhooks/domain/delivery-chain/facts.js';

type AttemptOutcome = FailureClass | 'success' | 'lost';

/** Returns the outcome of the attempt that this event ends; null for any other event. */
export function toAttemptOutcome(event: NewEvent): AttemptOutcome | null {
  const { type, data } = event as Fact as DeliveryChainEvent;
  switch (type) {
    case 'AttemptSucceeded':
      return 'success';
    case 'AttemptFailed':
      return classifyFailure(data.reason);
    case 'AttemptLost':
      return 'lost';
    default:
      return null;
  }
}

/**
 * Returns the milliseconds from the occurrence to the start of its first attempt, when this event ends that attempt;
 * else null.
 */
export function measureFirstAttemptLag(event: NewEvent): number | null {
  if (toAttemptOutcome(event) === null) return null;
  const { attempt, kind, startedAt, occurredAt } = event.data as Extract<
    DeliveryChainEvent,
    { type: 'AttemptLost' }
  >['data'];
  return attempt === 1 && kind === 'automatic' ? Date.parse(startedAt) - Date.parse(occurredAt) : null;
}
