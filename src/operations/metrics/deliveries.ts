import type { Fact, NewEvent } from '../../kernel/event.js';
import type { ChainEvent } from '../../webhooks/domain/chain.js';
import type { FailureReason } from '../../webhooks/domain/answer.js';

export type AttemptOutcome = 'success' | 'client_error' | 'server_error' | 'timeout' | 'network' | 'blocked' | 'lost' | 'service';

const OUTCOMES: Readonly<Record<FailureReason, AttemptOutcome>> = {
  client_error: 'client_error',
  server_error: 'server_error',
  redirect: 'server_error',
  unexpected_status: 'server_error',
  timeout: 'timeout',
  connection_timeout: 'timeout',
  connection_refused: 'network',
  connection_reset: 'network',
  dns_failure: 'network',
  tls_failure: 'network',
  invalid_answer: 'network',
  network_failure: 'network',
  blocked_address: 'blocked',
  endpoint_deleted: 'service',
  envelope_too_large: 'service',
  service_failure: 'service',
};

/** How the attempt that this event ends has ended; null for any other event. */
export function attemptOutcomeOf(event: NewEvent): AttemptOutcome | null {
  const { type, data } = event as Fact as ChainEvent;
  switch (type) {
    case 'AttemptSucceeded':
      return 'success';
    case 'AttemptFailed':
      return OUTCOMES[data.reason];
    case 'AttemptLost':
      return 'lost';
    default:
      return null;
  }
}

/** Milliseconds from what occurred to the start of the first attempt at telling it, when this event ends that attempt. */
export function firstAttemptLagOf(event: NewEvent): number | null {
  if (attemptOutcomeOf(event) === null) return null;
  const { attempt, test, startedAt, occurredAt } = event.data as Extract<ChainEvent, { type: 'AttemptLost' }>['data'];
  return attempt === 1 && !test ? Date.parse(startedAt) - Date.parse(occurredAt) : null;
}
