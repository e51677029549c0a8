import type { Recorded } from '../../kernel/event.js';
import { OWNER, type Owned } from '../../kernel/ownership.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import { reference, type Reference } from '../../kernel/reference.js';
import type { ChainEvent, Ended } from '../domain/chain.js';
import { deliveryIdOf } from '../domain/delivery-id.js';

export interface DeliveryDocument extends Owned {
  readonly id: string;
  readonly object: 'webhook_delivery';
  readonly endpoint: Reference<'webhook_endpoint'>;
  readonly event_id: string;
  readonly event_type: string;
  readonly event_version: string;
  readonly status: 'success' | 'failed' | 'abandoned';
  readonly response_status: number | null;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly duration_ms: number | null;
  readonly test: boolean;
  readonly delivered_at: string | null;
  readonly created_at: string;
  readonly replayed_from: string | null;
  readonly replay_job: Reference<'replay_job'> | null;
  /** The endpoint, while an automatic attempt is to follow this one. */
  readonly _retried_at_endpoint: string | null;
}

type Event<T extends ChainEvent['type']> = EventOf<ChainEvent, T>;
type EndOfAttempt = Extract<ChainEvent, { type: 'AttemptSucceeded' | 'AttemptFailed' | 'AttemptLost' | 'ChainAbandoned' }>;

/** One document an attempt, from its end on. */
export const deliveries: Projection<DeliveryDocument> = {
  name: 'deliveries',
  version: 1,
  id: idsOfRecords,
  indexes: [
    [...OWNER, 'created_at'],
    [...OWNER, 'endpoint.id', 'created_at'],
    [...OWNER, 'event_id', 'created_at'],
    ['_retried_at_endpoint', 'created_at'],
  ],
  on: {
    AttemptSucceeded: (record, { data }: Event<'AttemptSucceeded'>) =>
      earlier(record) ?? { ...documentOf(data), ...answerIn(data), status: 'success', delivered_at: data.endedAt },
    AttemptFailed: (record, { data }: Event<'AttemptFailed'>) =>
      earlier(record) ?? { ...documentOf(data), ...answerIn(data), _retried_at_endpoint: retriedAt(data) },
    AttemptLost: (record, { data }: Event<'AttemptLost'>) =>
      earlier(record) ?? { ...documentOf(data), _retried_at_endpoint: retriedAt(data) },
    ChainAbandoned: (record) => record && { ...record, status: 'abandoned', _retried_at_endpoint: null },
  } satisfies Changes<DeliveryDocument, EndOfAttempt>,
};

/** The attempt's own, and the one before, which is no longer the chain's last. */
function idsOfRecords({ type, data: { chainId, deliveryId, attempt } }: Recorded<string, Ended>): readonly string[] {
  return type === 'ChainAbandoned' || attempt === 1 ? [deliveryId] : [deliveryId, deliveryIdOf(chainId, attempt - 1)];
}

function earlier(record: DeliveryDocument | null): DeliveryDocument | null {
  return record && { ...record, _retried_at_endpoint: null };
}

function documentOf(data: Ended): DeliveryDocument {
  return {
    id: data.deliveryId,
    object: 'webhook_delivery',
    endpoint: reference('webhook_endpoint', data.endpointId),
    event_id: data.eventId,
    event_type: data.eventType,
    event_version: data.eventVersion,
    status: 'failed',
    response_status: null,
    attempt: data.attempt,
    max_attempts: data.maxAttempts,
    duration_ms: null,
    test: data.test,
    delivered_at: null,
    created_at: data.startedAt,
    replayed_from: data.replayedFrom,
    replay_job: data.replayJobId === undefined ? null : reference('replay_job', data.replayJobId),
    _business: data.businessId,
    _mode: data.mode,
    _retried_at_endpoint: null,
  };
}

function answerIn(data: { readonly responseStatus: number | null; readonly durationMs: number | null }) {
  return { response_status: data.responseStatus, duration_ms: data.durationMs };
}

function retriedAt(data: { readonly endpointId: string; readonly nextAttemptAt: string | null }): string | null {
  return data.nextAttemptAt === null ? null : data.endpointId;
}
