import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import {
  dateTime,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  integer,
  list,
  nullable,
  object,
  resource,
  string,
  uri,
  type ValueOf,
} from '../../kernel/schema.js';
import type { EndpointEvent, EndpointSettings, LastDelivery } from '../domain/endpoint.js';
import { PAUSE_REASONS } from '../domain/pause-reasons.js';

const waitingObject = object({
  count: integer,
  /** Since when the first of them is due. */
  oldest_at: dateTime,
  reason: enumOf(...PAUSE_REASONS),
});

export type Waiting = ValueOf<typeof waitingObject>;

export const endpointFields = {
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
  /** The times of the last deliveries are added when the endpoint is read. */
  last_success_at: nullable(dateTime),
  last_failure_at: nullable(dateTime),
  /** The automatic attempts that are due and not sent, added when the endpoint is read; null in public events. */
  waiting: nullable(waitingObject),
  created_at: dateTime,
  updated_at: dateTime,
};

export const endpointSchema = resource('WebhookEndpoint', endpointFields);

export interface EndpointDocument extends DocumentOf<typeof endpointSchema>, Owned {}

export const endpoints: Projection<EndpointDocument, EndpointEvent> = {
  name: 'endpoints',
  version: 3,
  id: pickId('endpointId'),
  indexes: [[...OWNER_INDEX, 'created_at']],
  totals: [OWNER_INDEX],
  on: {
    EndpointCreated: (_, { data, meta }) => ({
      id: data.endpointId,
      object: 'webhook_endpoint',
      url: data.url,
      description: data.description,
      event_types: data.eventTypes,
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      rate_limit_per_second: data.rateLimitPerSecond,
      metadata: data.metadata,
      secret_rotated_at: null,
      last_success_at: null,
      last_failure_at: null,
      waiting: null,
      created_at: meta.at,
      updated_at: meta.at,
      _business: data.businessId,
      _mode: data.mode,
    }),
    EndpointEdited: (document, { data, meta }) => applyChanges(document, meta.at, toFields(data.changes)),
    EndpointDisabled: (document, { data, meta }) => {
      const lastDelivered = data.reason === 'failing' ? toLastDelivery(data) : {};
      return applyChanges(document, meta.at, {
        status: 'disabled',
        disabled_reason: data.reason,
        disabled_at: meta.at,
        ...lastDelivered,
      });
    },
    EndpointWarned: (document, { data }) => document && { ...document, ...toLastDelivery(data) },
    EndpointEnabled: (document, { meta }) =>
      applyChanges(document, meta.at, { status: 'enabled', disabled_reason: null, disabled_at: null }),
    SecretRotated: (document, { meta }) => applyChanges(document, meta.at, { secret_rotated_at: meta.at }),
    EndpointDeleted: () => null,
    EndpointAbandoned: () => null,
  },
};

function toFields({
  eventTypes,
  rateLimitPerSecond,
  ...changes
}: Partial<EndpointSettings>): Partial<EndpointDocument> {
  return {
    ...changes,
    ...(eventTypes !== undefined && { event_types: eventTypes }),
    ...(rateLimitPerSecond !== undefined && { rate_limit_per_second: rateLimitPerSecond }),
  };
}

function toLastDelivery({ lastSuccessAt, lastFailureAt }: LastDelivery): Partial<EndpointDocument> {
  return { last_success_at: lastSuccessAt, last_failure_at: lastFailureAt };
}

function applyChanges(
  document: EndpointDocument | null,
  at: string,
  changes: Partial<EndpointDocument>,
): EndpointDocument | null {
  return document && { ...document, ...changes, updated_at: at };
}
