import { flag, id, list, maybe, object, one, refer, resource, text, texts, time, whole } from '../../http/openapi/shape.js';
import type { Actor } from '../../kernel/event.js';
import { SHOWN_REASONS, type ShownFailure } from '../domain/shown-failure.js';
import type { Message } from '../projections/capture.queries.js';
import type { AttemptView, ChainView } from '../projections/chain.queries.js';
import type { DeliveryDocument } from '../projections/deliveries.js';

/** The reason why an attempt failed; null after a success. */
export const failure = maybe(object<ShownFailure>({ reason: one(...SHOWN_REASONS), detail: text }));

const fields = {
  id: id('whd'),
  object: one('webhook_delivery'),
  endpoint: refer('webhook_endpoint', 'whs'),
  event_id: id('evt'),
  event_type: text,
  event_version: text,
  status: one('success', 'failed', 'abandoned'),
  response_status: maybe(whole),
  attempt: whole,
  max_attempts: whole,
  duration_ms: maybe(whole),
  test: flag,
  delivered_at: maybe(time),
  created_at: time,
  replayed_from: maybe(id('whd')),
  replay_job: maybe(refer('replay_job', 'whj')),
  failure,
};

export const delivery = resource<DeliveryDocument>('WebhookDelivery', fields);

const attempt = resource<AttemptView>('WebhookDeliveryAttempt', {
  ...fields,
  requested_by: maybe(object<Actor>({ type: one('api_key', 'user', 'cart', 'system'), id: text })),
});

export const deliveryAttempts = resource<ChainView>('WebhookDeliveryAttempts', {
  attempts: list(attempt),
  next_attempt_at: maybe(time),
});

export const message = resource<Message>('WebhookMessage', { headers: texts, body: text });
