import { free, id, list, nullable, object, one, refer, resource, text, time, uri, whole } from '../../kernel/schema.js';
import { failure } from './deliveries.shape.js';

const fields = {
  id: id('whs'),
  object: one('webhook_endpoint'),
  url: uri,
  description: nullable(text),
  event_types: list(text),
  status: one('enabled', 'disabled'),
  disabled_reason: nullable(one('manual', 'failing')),
  disabled_at: nullable(time),
  rate_limit_per_second: nullable(whole),
  metadata: free,
  secret_rotated_at: nullable(time),
  last_success_at: nullable(time),
  last_failure_at: nullable(time),
  created_at: time,
  updated_at: time,
};

export const endpoint = resource('WebhookEndpoint', fields);

export const endpointWarning = resource('WebhookEndpointWarning', {
  ...fields,
  warning: object({ reason: one('failing', 'refused_after_rotation'), since: time, days: nullable(whole), failures: whole }),
});

/** The data of a test event. */
export const testData = resource('WebhookTest', {
  endpoint: refer('webhook_endpoint', 'whs'),
});

export const testEvent = resource('TestEventResult', {
  delivery_id: id('whd'),
  duration_ms: whole,
  response_status: whole,
  status: one('success', 'failed'),
  failure,
});

export const endpointStats = resource('WebhookEndpointStats', {
  attempts: whole,
  successes: whole,
  failures: object({ client_error: whole, server_error: whole, timeout: whole, network: whole, blocked: whole }),
  duration_ms: object({ p50: nullable(whole), p95: nullable(whole) }),
  oldest_waiting_at: nullable(time),
  tests: object({ attempts: whole, failures: whole }),
});
