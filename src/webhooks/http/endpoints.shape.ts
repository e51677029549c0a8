import { free, id, list, maybe, object, one, refer, resource, text, time, uri, whole } from '../../http/openapi/shape.js';
import type { TestEventResult } from '../commands/test-event.commands.js';
import type { Reference } from '../../kernel/reference.js';
import type { EndpointWarningDocument } from '../projections/endpoint-warnings.js';
import type { EndpointDocument } from '../projections/endpoints.js';
import type { EndpointStats } from '../projections/stats.query.js';
import { failure } from './deliveries.shape.js';

const fields = {
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
};

export const endpoint = resource<EndpointDocument>('WebhookEndpoint', fields);

export const endpointWarning = resource<EndpointWarningDocument>('WebhookEndpointWarning', {
  ...fields,
  warning: object({ reason: one('failing', 'refused_after_rotation'), since: time, days: maybe(whole), failures: whole }),
});

/** The data of a test event. */
export const testData = resource<{ endpoint: Reference<'webhook_endpoint'> }>('WebhookTest', {
  endpoint: refer('webhook_endpoint', 'whs'),
});

export const testEvent = resource<TestEventResult>('TestEventResult', {
  delivery_id: id('whd'),
  duration_ms: whole,
  response_status: whole,
  status: one('success', 'failed'),
  failure,
});

export const endpointStats = resource<EndpointStats>('WebhookEndpointStats', {
  attempts: whole,
  successes: whole,
  failures: object({ client_error: whole, server_error: whole, timeout: whole, network: whole, blocked: whole }),
  duration_ms: object({ p50: maybe(whole), p95: maybe(whole) }),
  oldest_waiting_at: maybe(time),
  tests: object({ attempts: whole, failures: whole }),
});
