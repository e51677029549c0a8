import type { Attempt, ChainCommand, ChainEvent, ChainFacts, Run } from '../../src/webhooks/domain/chain.js';
import { deliveryIdOf } from '../../src/webhooks/domain/delivery-id.js';
import type { EndpointSettings } from '../../src/webhooks/domain/endpoint.js';
import type { Target } from '../../src/webhooks/domain/target.js';

export const CHAIN_ID = '01m7z805vc38mc1kg7tbkq';

export const CHAIN: ChainFacts = {
  chainId: CHAIN_ID,
  eventId: 'evt_1',
  eventType: 'product.approved',
  eventVersion: '1',
  occurredAt: '2026-02-01T08:59:59.900Z',
  endpointId: 'whs_1',
  businessId: 'biz_1',
  mode: 'live',
  test: false,
  maxAttempts: 20,
  disabledTimes: 0,
};

export const SETTINGS: EndpointSettings = {
  url: 'https://receiver.example.com/hook',
  eventTypes: ['*'],
  description: null,
  rateLimitPerSecond: null,
  metadata: {},
};

export const RUN: Run = { job: `attempt:${CHAIN_ID}:1`, attempt: 1 };

type Event<T extends ChainEvent['type']> = Extract<ChainEvent, { type: T }>;

export const planned: ChainEvent = { type: 'ChainPlanned', data: { ...CHAIN, dueAt: '2026-02-01T09:00:00.000Z' } };

/** A planned chain whose first attempt has not started. */
export const waiting: ChainEvent = { type: 'ChainPlanned', data: { ...CHAIN, dueAt: '2026-02-01T09:00:00.000Z', waits: true } };

export function attemptOf(attempt: number, more: Partial<Attempt> = {}): Attempt {
  const deliveryId = deliveryIdOf(CHAIN_ID, attempt);
  return { deliveryId, attempt, kind: 'automatic', replayedFrom: null, startedAt: '2026-02-01T09:00:00.000Z', ...more };
}

export function started(attempt: Attempt, more: Partial<Event<'AttemptStarted'>['data']> = {}): ChainEvent {
  const run = attempt.kind === 'automatic' ? RUN : null;
  return { type: 'AttemptStarted', data: { chainId: CHAIN_ID, ...attempt, leaseUntil: '2026-02-01T09:00:30.000Z', run, ...more } };
}

export function failed(attempt: Attempt, more: Partial<Event<'AttemptFailed'>['data']> = {}): ChainEvent {
  const said = { reason: 'server_error', responseStatus: 503, errorCode: null, durationMs: 12, nextAttemptAt: null } as const;
  return { type: 'AttemptFailed', data: { ...CHAIN, ...attempt, ...said, ...more } };
}

export function succeeded(attempt: Attempt): ChainEvent {
  return {
    type: 'AttemptSucceeded',
    data: { ...CHAIN, ...attempt, responseStatus: 204, durationMs: 12, endedAt: '2026-02-01T09:00:00.000Z' },
  };
}

export function lost(attempt: Attempt, nextAttemptAt: string | null): ChainEvent {
  return { type: 'AttemptLost', data: { ...CHAIN, ...attempt, nextAttemptAt } };
}

export function abandoned(attempt: number, reason: Event<'ChainAbandoned'>['data']['reason']): ChainEvent {
  const { chainId, endpointId } = CHAIN;
  return { type: 'ChainAbandoned', data: { chainId, deliveryId: deliveryIdOf(chainId, attempt), endpointId, reason } };
}

const SCHEDULE = [5, 300];
export const ENABLED: Target = { status: 'enabled', disabledTimes: 0 };
export const DISABLED: Target = { status: 'disabled', disabledTimes: 1 };
export const ENABLED_AGAIN: Target = { status: 'enabled', disabledTimes: 1 };
export const DELETED: Target = { status: 'deleted', disabledTimes: 0 };
export const NOW = '2026-02-01T09:00:00.000Z';
export const SOON = '2026-02-01T09:00:05.000Z';

export const start = { type: 'StartAttempt', target: ENABLED, leaseMs: 30_000, run: RUN } satisfies ChainCommand;

export function answer(
  attempt: number,
  responseStatus: number,
  more: { target?: Target | null; retryAfterSeconds?: number } = {},
): ChainCommand {
  const { target = ENABLED, retryAfterSeconds = null } = more;
  const retries = { schedule: SCHEDULE, jitter: 0 };
  return { type: 'RecordAnswer', attempt, answer: { responseStatus, durationMs: 12, retryAfterSeconds }, target, retries };
}

export function lose(attempt: number, laterRun: { job: string; attempt: number } | null = null): ChainCommand {
  return { type: 'LoseAttempt', attempt, laterRun, retries: { schedule: SCHEDULE, jitter: 0 } };
}
