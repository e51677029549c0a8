import { flag, id, maybe, one, refer, resource, text, time, whole } from '../../http/openapi/shape.js';
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
