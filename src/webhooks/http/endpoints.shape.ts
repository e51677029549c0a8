import { free, id, list, maybe, one, resource, text, time, uri, whole } from '../../http/openapi/shape.js';
import type { TestEventResult } from '../commands/test-event.commands.js';
import type { EndpointDocument } from '../projections/endpoints.js';

export const endpoint = resource<EndpointDocument>('WebhookEndpoint', {
  id: id('whs'),
  object: one('webhook_endpoint'),
  url: uri,
  description: maybe(text),
  event_types: list(text),
  status: one('enabled', 'disabled'),
  disabled_reason: maybe(one('manual', 'failing')),
  disabled_at: maybe(time),
  rate_limit_per_second: maybe(whole),
  metadata: free,
  secret_rotated_at: maybe(time),
  last_success_at: maybe(time),
  last_failure_at: maybe(time),
  created_at: time,
  updated_at: time,
});

export const testEvent = resource<TestEventResult>('TestEventResult', {
  delivery_id: id('whd'),
  duration_ms: whole,
  response_status: whole,
  status: one('success', 'failed'),
});
