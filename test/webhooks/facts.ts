import type {
  Attempt,
  AttemptOwner,
  DeliveryChainCommand,
  DeliveryChainEvent,
  DeliveryChainFacts,
  EndpointState,
} from '../../src/webhooks/domain/delivery-chain/facts.js';
import { deliveryIdOf } from '../../src/webhooks/domain/delivery-id.js';
import type { EndpointSettings } from '../../src/webhooks/domain/endpoint-settings.js';

export const CHAIN_ID = '01m7z805vc38mc1kg7tbkq';

export const CHAIN: DeliveryChainFacts = {
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
  notificationEmails: [],
  metadata: {},
};

export const OWNER: AttemptOwner = { job: `attempt:${CHAIN_ID}:1`, attempt: 1 };

type Event<T extends DeliveryChainEvent['type']> = Extract<DeliveryChainEvent, { type: T }>;

export const planned: DeliveryChainEvent = {
  type: 'DeliveryChainPlanned',
  data: { ...CHAIN, dueAt: '2026-02-01T09:00:00.000Z' },
};

/** A planned chain whose first attempt has not started. */
export const waiting: DeliveryChainEvent = {
  type: 'DeliveryChainPlanned',
  data: { ...CHAIN, dueAt: '2026-02-01T09:00:00.000Z', waits: true },
};

export function createAttempt(attempt: number, more: Partial<Attempt> = {}): Attempt {
  const deliveryId = deliveryIdOf(CHAIN_ID, attempt);
  return { deliveryId, attempt, kind: 'automatic', replayedFrom: null, startedAt: '2026-02-01T09:00:00.000Z', ...more };
}

export function started(attempt: Attempt, more: Partial<Event<'AttemptStarted'>['data']> = {}): DeliveryChainEvent {
  const run = attempt.kind === 'automatic' ? OWNER : null;
  return {
    type: 'AttemptStarted',
    data: { chainId: CHAIN_ID, ...attempt, leaseUntil: '2026-02-01T09:00:30.000Z', owner: run, ...more },
  };
}

/** A chain that begins with this attempt. */
export function firstStarted(attempt: Attempt, facts: DeliveryChainFacts = CHAIN): DeliveryChainEvent {
  return started(attempt, { facts });
}

export function failed(attempt: Attempt, more: Partial<Event<'AttemptFailed'>['data']> = {}): DeliveryChainEvent {
  const said = {
    reason: 'server_error',
    responseStatus: 503,
    errorCode: null,
    durationMs: 12,
    nextAttemptAt: null,
  } as const;
  return { type: 'AttemptFailed', data: { ...CHAIN, ...attempt, ...said, ...more } };
}

export function succeeded(attempt: Attempt): DeliveryChainEvent {
  return {
    type: 'AttemptSucceeded',
    data: { ...CHAIN, ...attempt, responseStatus: 204, durationMs: 12, endedAt: '2026-02-01T09:00:00.000Z' },
  };
}

export function lost(attempt: Attempt, nextAttemptAt: string | null): DeliveryChainEvent {
  return { type: 'AttemptLost', data: { ...CHAIN, ...attempt, nextAttemptAt } };
}

export function abandoned(
  attempt: number,
  reason: Event<'DeliveryChainAbandoned'>['data']['reason'],
): DeliveryChainEvent {
  const { chainId, endpointId } = CHAIN;
  return {
    type: 'DeliveryChainAbandoned',
    data: { chainId, deliveryId: deliveryIdOf(chainId, attempt), endpointId, reason },
  };
}

const SCHEDULE = [5, 300];
export const ENABLED: EndpointState = { status: 'enabled', disabledTimes: 0 };
export const DISABLED: EndpointState = { status: 'disabled', disabledTimes: 1 };
export const ENABLED_AGAIN: EndpointState = { status: 'enabled', disabledTimes: 1 };
export const DELETED: EndpointState = { status: 'deleted', disabledTimes: 0 };
export const NOW = '2026-02-01T09:00:00.000Z';
export const SOON = '2026-02-01T09:00:05.000Z';

export const start = {
  type: 'StartAttempt',
  endpointState: ENABLED,
  leaseMs: 30_000,
  owner: OWNER,
} satisfies DeliveryChainCommand;

export function recordResult(
  attempt: number,
  responseStatus: number,
  more: { endpointState?: EndpointState | null; retryAfterSeconds?: number } = {},
): DeliveryChainCommand {
  const { endpointState = ENABLED, retryAfterSeconds = null } = more;
  const retries = { schedule: SCHEDULE, jitter: 0 };
  return {
    type: 'RecordAttemptResult',
    attempt,
    result: { responseStatus, durationMs: 12, retryAfterSeconds },
    endpointState,
    retries,
  };
}

export function loseAttempt(
  attempt: number,
  laterOwner: { job: string; attempt: number } | null = null,
): DeliveryChainCommand {
  return { type: 'LoseAttempt', attempt, laterOwner, retries: { schedule: SCHEDULE, jitter: 0 } };
}
