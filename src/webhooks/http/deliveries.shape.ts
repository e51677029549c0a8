import { flag, id, list, maybe, one, refer, resource, text, texts, time, whole } from '../../http/openapi/shape.js';
import type { Message } from '../projections/capture.queries.js';
import type { ChainView } from '../projections/chain.queries.js';
import type { DeliveryDocument } from '../projections/deliveries.js';

export const delivery = resource<DeliveryDocument>('WebhookDelivery', {
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
});

export const deliveryAttempts = resource<ChainView>('WebhookDeliveryAttempts', {
  attempts: list(delivery),
  next_attempt_at: maybe(time),
});

export const message = resource<Message>('WebhookMessage', { headers: texts, body: text });
