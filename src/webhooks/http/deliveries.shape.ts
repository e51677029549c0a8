import { flag, id, list, nullable, object, one, refer, resource, text, texts, time, whole } from '../../kernel/schema.js';
import { SHOWN_REASONS } from '../domain/shown-failure.js';

/** The reason why an attempt failed; null after a success. */
export const failure = nullable(object({ reason: one(...SHOWN_REASONS), detail: text }));

const fields = {
  id: id('whd'),
  object: one('webhook_delivery'),
  endpoint: refer('webhook_endpoint', 'whs'),
  event_id: id('evt'),
  event_type: text,
  event_version: text,
  status: one('success', 'failed', 'abandoned'),
  response_status: nullable(whole),
  attempt: whole,
  max_attempts: whole,
  duration_ms: nullable(whole),
  test: flag,
  delivered_at: nullable(time),
  created_at: time,
  replayed_from: nullable(id('whd')),
  replay_job: nullable(refer('replay_job', 'whj')),
  failure,
};

export const delivery = resource('WebhookDelivery', fields);

const attempt = resource('WebhookDeliveryAttempt', {
  ...fields,
  requested_by: nullable(object({ type: one('api_key', 'user', 'cart', 'system'), id: text })),
});

export const deliveryAttempts = resource('WebhookDeliveryAttempts', {
  attempts: list(attempt),
  next_attempt_at: nullable(time),
});

export const message = resource('WebhookMessage', { headers: texts, body: text });
