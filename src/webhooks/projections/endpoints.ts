import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { EndpointEvent, EndpointSettings, LastDelivery } from '../domain/endpoint.js';

export interface EndpointDocument extends Owned {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  readonly url: string;
  readonly description: string | null;
  readonly event_types: readonly string[];
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: 'manual' | 'failing' | null;
  readonly disabled_at: string | null;
  readonly rate_limit_per_second: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly secret_rotated_at: string | null;
  /** The times of the last deliveries are added when the endpoint is read. */
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

type Event<T extends EndpointEvent['type']> = EventOf<EndpointEvent, T>;

export const endpoints: Projection<EndpointDocument> = {
  name: 'endpoints',
  version: 2,
  id: ({ data }: Event<EndpointEvent['type']>) => data.endpointId,
  indexes: [[...OWNER_INDEX, 'created_at']],
  totals: [OWNER_INDEX],
  on: {
    EndpointCreated: (_, { data, meta }: Event<'EndpointCreated'>) => ({
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
      created_at: meta.at,
      updated_at: meta.at,
      _business: data.businessId,
      _mode: data.mode,
    }),
    EndpointEdited: (document, { data, meta }: Event<'EndpointEdited'>) =>
      applyChanges(document, meta.at, toFields(data.changes)),
    EndpointDisabled: (document, { data, meta }: Event<'EndpointDisabled'>) => {
      const lastDelivered = data.reason === 'failing' ? toLastDelivery(data) : {};
      return applyChanges(document, meta.at, {
        status: 'disabled',
        disabled_reason: data.reason,
        disabled_at: meta.at,
        ...lastDelivered,
      });
    },
    EndpointWarned: (document, { data }: Event<'EndpointWarned'>) =>
      document && { ...document, ...toLastDelivery(data) },
    EndpointEnabled: (document, { meta }: Event<'EndpointEnabled'>) =>
      applyChanges(document, meta.at, { status: 'enabled', disabled_reason: null, disabled_at: null }),
    SecretRotated: (document, { meta }: Event<'SecretRotated'>) =>
      applyChanges(document, meta.at, { secret_rotated_at: meta.at }),
    EndpointDeleted: () => null,
    EndpointAbandoned: () => null,
  } satisfies Changes<EndpointDocument, EndpointEvent>,
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
