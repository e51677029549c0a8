import type { Fact, NewEvent } from '../../kernel/event.js';
import type { ChainEvent } from '../../webhooks/domain/chain.js';
import { failureClassOf, type FailureClass } from '../../webhooks/domain/answer.js';

type AttemptOutcome = FailureClass | 'success' | 'lost';

/** Returns the outcome of the attempt that this event ends; null for any other event. */
export function attemptOutcomeOf(event: NewEvent): AttemptOutcome | null {
  const { type, data } = event as Fact as ChainEvent;
  switch (type) {
    case 'AttemptSucceeded':
      return 'success';
    case 'AttemptFailed':
      return failureClassOf(data.reason);
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
export function firstAttemptLagOf(event: NewEvent): number | null {
  if (attemptOutcomeOf(event) === null) return null;
  const { attempt, kind, startedAt, occurredAt } = event.data as Extract<ChainEvent, { type: 'AttemptLost' }>['data'];
  return attempt === 1 && kind === 'automatic' ? Date.parse(startedAt) - Date.parse(occurredAt) : null;
}
