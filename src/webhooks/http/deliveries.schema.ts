import {
  boolean,
  dateTime,
  enumOf,
  id,
  integer,
  list,
  nullable,
  object,
  ref,
  resource,
  string,
  stringMap,
} from '../../kernel/schema.js';
import { PUBLIC_REASONS } from '../domain/public-failure.js';

/** The reason why an attempt failed; null after a success. */
export const failureSchema = nullable(object({ reason: enumOf(...PUBLIC_REASONS), detail: string }));

const fields = {
  id: id('whd'),
  object: enumOf('webhook_delivery'),
  endpoint: ref('webhook_endpoint', 'whs'),
  event_id: id('evt'),
  event_type: string,
  event_version: string,
  status: enumOf('success', 'failed', 'abandoned'),
  response_status: nullable(integer),
  attempt: integer,
  max_attempts: integer,
  duration_ms: nullable(integer),
  test: boolean,
  delivered_at: nullable(dateTime),
  created_at: dateTime,
  replayed_from: nullable(id('whd')),
  replay_job: nullable(ref('replay_job', 'whj')),
  failure: failureSchema,
};

export const deliverySchema = resource('WebhookDelivery', fields);

const attemptSchema = resource('WebhookDeliveryAttempt', {
  ...fields,
  requested_by: nullable(object({ type: enumOf('api_key', 'user', 'cart', 'system'), id: string })),
});

export const deliveryAttemptsSchema = resource('WebhookDeliveryAttempts', {
  attempts: list(attemptSchema),
  next_attempt_at: nullable(dateTime),
});

export const httpMessageSchema = resource('WebhookMessage', { headers: stringMap, body: string });
