import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  integer,
  KIND,
  list,
  nullable,
  object,
  personalStrings,
  resource,
  string,
  uri,
  type ValueOf,
} from '../../kernel/schema.js';
import type { EndpointEvent, LastDelivery } from '../domain/endpoint.js';
import type { EndpointSettings } from '../domain/endpoint-settings.js';
import { PAUSE_REASONS } from '../domain/pause-reasons.js';

const waitingObject = object({
  count: describe(integer, 'The number of these attempts.', 3),
  oldest_at: describe(dateTime, 'The time since which the oldest of these attempts is due.'),
  reason: describe(
    enumOf(...PAUSE_REASONS),
    'Why they wait: for the pause after many failures (`open_breaker`), the rate limit of the endpoint (`rate`), the limits of the host (`host`), or attempts before them (`backlog`).',
  ),
});

export type Waiting = ValueOf<typeof waitingObject>;

export const endpointFields = {
  id: describe(id('whs'), 'The id of this object; it never changes.'),
  object: describe(enumOf('webhook_endpoint'), KIND),
  url: describe(uri, 'The URL to which the service posts the events.', 'https://example.com/hooks'),
  description: describe(
    nullable(string),
    'A note of the owner about the endpoint, or null.',
    'Orders for the warehouse',
  ),
  event_types: describe(
    list(string),
    'The types of the events that the endpoint receives; `*` alone means every type.',
  ),
  status: describe(
    enumOf('enabled', 'disabled'),
    'Whether the endpoint receives events (`enabled`) or only test events (`disabled`).',
  ),
  disabled_reason: describe(
    nullable(enumOf('manual', 'failing')),
    'Whether the endpoint was disabled by a request (`manual`) or by the service, because its deliveries failed for days (`failing`); null while it is enabled.',
  ),
  disabled_at: describe(nullable(dateTime), 'The time at which the endpoint was disabled; null while it is enabled.'),
  rate_limit_per_second: describe(
    nullable(integer),
    'The most attempts that the endpoint gets in one second; null means the limit of the service.',
    10,
  ),
  notification_emails: describe(
    personalStrings,
    'The e-mail addresses that get a mail when the endpoint keeps failing or was disabled for that, beside the owner of the business. The address of a forgotten person is left out.',
    ['oncall@example.com'],
  ),
  metadata: describe(freeForm, 'The values that the owner of the endpoint stored with it.'),
  secret_rotated_at: describe(
    nullable(dateTime),
    'The time at which the signing secret was last replaced, or null before that.',
  ),
  // The times of the last deliveries and the waiting attempts are added when the endpoint is read.
  last_success_at: describe(
    nullable(dateTime),
    'The time of the last 2xx from the receiver, or null before that. Test events do not count.',
  ),
  last_failure_at: describe(
    nullable(dateTime),
    'The time of the last failed attempt, or null before that. Test events do not count.',
  ),
  waiting: describe(
    nullable(waitingObject),
    'The automatic attempts that are due and not sent yet; null when there are none, and in public events.',
  ),
  created_at: describe(dateTime, 'The time at which this object was created.'),
  updated_at: describe(dateTime, 'The time at which the settings, the status or the signing secret last changed.'),
};

export const endpointSchema = resource('WebhookEndpoint', endpointFields);

export interface EndpointDocument extends DocumentOf<typeof endpointSchema>, Owned {}

export const endpoints: Projection<EndpointDocument, EndpointEvent> = {
  name: 'endpoints',
  version: 4,
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
      notification_emails: data.notificationEmails ?? [],
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
  notificationEmails,
  ...changes
}: Partial<EndpointSettings>): Partial<EndpointDocument> {
  return {
    ...changes,
    ...(eventTypes !== undefined && { event_types: eventTypes }),
    ...(rateLimitPerSecond !== undefined && { rate_limit_per_second: rateLimitPerSecond }),
    ...(notificationEmails !== undefined && { notification_emails: notificationEmails }),
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
