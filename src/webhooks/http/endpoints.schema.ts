import {
  dateTime,
  enumOf,
  freeForm,
  id,
  integer,
  list,
  nullable,
  object,
  ref,
  resource,
  string,
  uri,
} from '../../kernel/schema.js';
import { failureSchema } from './deliveries.schema.js';

const fields = {
  id: id('whs'),
  object: enumOf('webhook_endpoint'),
  url: uri,
  description: nullable(string),
  event_types: list(string),
  status: enumOf('enabled', 'disabled'),
  disabled_reason: nullable(enumOf('manual', 'failing')),
  disabled_at: nullable(dateTime),
  rate_limit_per_second: nullable(integer),
  metadata: freeForm,
  secret_rotated_at: nullable(dateTime),
  last_success_at: nullable(dateTime),
  last_failure_at: nullable(dateTime),
  created_at: dateTime,
  updated_at: dateTime,
};

export const endpointSchema = resource('WebhookEndpoint', fields);

export const endpointWarningSchema = resource('WebhookEndpointWarning', {
  ...fields,
  warning: object({
    reason: enumOf('failing', 'refused_after_rotation'),
    since: dateTime,
    days: nullable(integer),
    failures: integer,
  }),
});

/** The data of a test event. */
export const testDataSchema = resource('WebhookTest', {
  endpoint: ref('webhook_endpoint', 'whs'),
});

export const testEventSchema = resource('TestEventResult', {
  delivery_id: id('whd'),
  duration_ms: integer,
  response_status: integer,
  status: enumOf('success', 'failed'),
  failure: failureSchema,
});

export const endpointStatsSchema = resource('WebhookEndpointStats', {
  attempts: integer,
  successes: integer,
  failures: object({
    client_error: integer,
    server_error: integer,
    timeout: integer,
    network: integer,
    blocked: integer,
  }),
  duration_ms: object({ p50: nullable(integer), p95: nullable(integer) }),
  oldest_waiting_at: nullable(dateTime),
  tests: object({ attempts: integer, failures: integer }),
});
