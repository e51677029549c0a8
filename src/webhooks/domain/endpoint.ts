import { createJsonBaseline } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import type { OwnedDecider } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import type { EndpointState } from './delivery-chain/facts.js';
import type { EndpointWarning } from './endpoint-health.js';
import { diffSettings, type EndpointSettings } from './endpoint-settings.js';

/** Events of earlier versions have no `notificationEmails`. */
type CreatedData = Omit<EndpointSettings, 'notificationEmails'> &
  Partial<Pick<EndpointSettings, 'notificationEmails'>> & {
    endpointId: string;
    businessId: string;
    mode: Mode;
    secretId: string;
  };

/** The times of the last deliveries before a warning or a disabling by the service. */
export interface LastDelivery {
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
}

export type EndpointEvent =
  | Fact<'EndpointCreated', CreatedData>
  | Fact<'EndpointEdited', { endpointId: string; changes: Partial<EndpointSettings> }>
  | Fact<'EndpointDisabled', { endpointId: string; reason: 'manual' } | FailingData>
  | Fact<'EndpointWarned', LastDelivery & { endpointId: string; warning: EndpointWarning }>
  | Fact<'EndpointEnabled', { endpointId: string }>
  /** Events of earlier versions have no `replacedId`. */
  | Fact<'SecretRotated', { endpointId: string; secretId: string; replacedId?: string }>
  | Fact<'EndpointDeleted', { endpointId: string }>
  /** The endpoint can never be created, because its quota was released before. */
  | Fact<'EndpointAbandoned', { endpointId: string }>;

type FailingData = LastDelivery & { endpointId: string; reason: 'failing' } & Pick<
    EndpointWarning,
    'since' | 'failures'
  >;

export interface KnownEndpoint {
  readonly status: 'enabled' | 'disabled' | 'deleted';
  readonly id: string;
  readonly business: string;
  readonly mode: Mode;
  readonly settings: EndpointSettings;
  readonly secretId: string;
  readonly disabledTimes: number;
  /** The latest warning for each reason. */
  readonly warnings: Readonly<Partial<Record<EndpointWarning['reason'], EndpointWarning>>>;
}

/** An endpoint that its owner can see. */
export type ActiveEndpoint = KnownEndpoint & { readonly status: EndpointStatus };

export type Endpoint = { readonly status: 'unknown' | 'abandoned' } | KnownEndpoint;

function evolve(endpoint: Endpoint, event: EndpointEvent): Endpoint {
  if (event.type === 'EndpointCreated') return toEndpoint(event.data);
  if (event.type === 'EndpointAbandoned') return { status: 'abandoned' };
  if (!isKnown(endpoint)) return endpoint;

  switch (event.type) {
    case 'EndpointEdited':
      return { ...endpoint, settings: { ...endpoint.settings, ...event.data.changes } };
    case 'EndpointDisabled':
      return { ...endpoint, status: 'disabled', disabledTimes: endpoint.disabledTimes + 1 };
    case 'EndpointWarned':
      return { ...endpoint, warnings: { ...endpoint.warnings, [event.data.warning.reason]: event.data.warning } };
    case 'EndpointEnabled':
      return { ...endpoint, status: 'enabled' };
    case 'SecretRotated':
      return { ...endpoint, secretId: event.data.secretId };
    case 'EndpointDeleted':
      return { ...endpoint, status: 'deleted' };
  }
}

function toEndpoint({ endpointId: id, businessId: business, mode, secretId, ...data }: CreatedData): KnownEndpoint {
  const settings = { ...data, notificationEmails: data.notificationEmails ?? [] };
  return { status: 'enabled', id, business, mode, settings, secretId, disabledTimes: 0, warnings: {} };
}

function isKnown(endpoint: Endpoint): endpoint is KnownEndpoint {
  return endpoint.status !== 'unknown' && endpoint.status !== 'abandoned';
}

function isActive(endpoint: Endpoint): endpoint is ActiveEndpoint {
  return endpoint.status === 'enabled' || endpoint.status === 'disabled';
}

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export type EndpointCommand =
  | (CreatedData & { readonly type: 'CreateEndpoint'; readonly status: EndpointStatus })
  | {
      readonly type: 'EditEndpoint';
      readonly changes: Partial<EndpointSettings>;
      readonly status: EndpointStatus | null;
    }
  | { readonly type: 'RotateSecret'; readonly secretId: string }
  | { readonly type: 'DeleteEndpoint' }
  /** `disabledTimes` is the number of disablings on which the decision is based. */
  | (LastDelivery & {
      readonly type: 'WarnAboutEndpoint';
      readonly warning: EndpointWarning;
      readonly disabledTimes: number;
    })
  | (LastDelivery &
      Pick<EndpointWarning, 'since' | 'failures'> & {
        readonly type: 'DisableFailingEndpoint';
        readonly disabledTimes: number;
      })
  | { readonly type: 'AbandonEndpoint'; readonly endpointId: string };

type Create = Extract<EndpointCommand, { type: 'CreateEndpoint' }>;
type Edit = Extract<EndpointCommand, { type: 'EditEndpoint' }>;
type Rotate = Extract<EndpointCommand, { type: 'RotateSecret' }>;
type Warn = Extract<EndpointCommand, { type: 'WarnAboutEndpoint' }>;
type DisableFailing = Extract<EndpointCommand, { type: 'DisableFailingEndpoint' }>;

function decide(command: EndpointCommand, endpoint: Endpoint): readonly EndpointEvent[] {
  if (command.type === 'CreateEndpoint') return create(command, endpoint);
  if (command.type === 'AbandonEndpoint')
    return endpoint.status === 'unknown'
      ? [{ type: 'EndpointAbandoned', data: { endpointId: command.endpointId } }]
      : [];
  if (command.type === 'WarnAboutEndpoint') return warn(command, endpoint);
  if (command.type === 'DisableFailingEndpoint') return disableFailing(command, endpoint);
  if (!isActive(endpoint)) throw Rejection.notFound();

  const endpointId = endpoint.id;
  switch (command.type) {
    case 'EditEndpoint':
      return edit(command, endpoint);
    case 'RotateSecret':
      return rotate(command, endpoint);
    case 'DeleteEndpoint':
      return [{ type: 'EndpointDeleted', data: { endpointId } }];
  }
}

function create({ type: _, status, ...data }: Create, endpoint: Endpoint): readonly EndpointEvent[] {
  if (endpoint.status === 'abandoned')
    throw new Rejection('concurrent_update', 'Another request took the quota of this endpoint. Try again.');
  if (endpoint.status !== 'unknown') return [];
  return [{ type: 'EndpointCreated', data }, ...(status === 'disabled' ? [disableManually(data.endpointId)] : [])];
}

function edit({ changes: asked, status }: Edit, endpoint: KnownEndpoint): readonly EndpointEvent[] {
  const endpointId = endpoint.id;
  const changes = diffSettings(asked, endpoint.settings);
  const edited: EndpointEvent[] =
    Object.keys(changes).length === 0 ? [] : [{ type: 'EndpointEdited', data: { endpointId, changes } }];
  if (status === null || status === endpoint.status) return edited;
  return [
    ...edited,
    status === 'enabled' ? { type: 'EndpointEnabled', data: { endpointId } } : disableManually(endpointId),
  ];
}

function rotate(
  { secretId }: Rotate,
  { id: endpointId, secretId: replacedId }: KnownEndpoint,
): readonly EndpointEvent[] {
  return secretId === replacedId ? [] : [{ type: 'SecretRotated', data: { endpointId, secretId, replacedId } }];
}

function warn({ type: _, disabledTimes, ...data }: Warn, endpoint: Endpoint): readonly EndpointEvent[] {
  if (!hasStayedEnabled(endpoint, disabledTimes) || isRepeated(data.warning, endpoint)) return [];
  return [{ type: 'EndpointWarned', data: { endpointId: endpoint.id, ...data } }];
}

function disableFailing(
  { type: _, disabledTimes, ...data }: DisableFailing,
  endpoint: Endpoint,
): readonly EndpointEvent[] {
  if (!hasStayedEnabled(endpoint, disabledTimes)) return [];
  return [{ type: 'EndpointDisabled', data: { endpointId: endpoint.id, reason: 'failing', ...data } }];
}

/** Returns whether the endpoint is enabled and was not disabled after the decision was made. */
function hasStayedEnabled(endpoint: Endpoint, disabledTimes: number): endpoint is KnownEndpoint {
  return endpoint.status === 'enabled' && endpoint.disabledTimes === disabledTimes;
}

function isRepeated({ reason, since, days }: EndpointWarning, { warnings }: KnownEndpoint): boolean {
  const latest = warnings[reason];
  return latest !== undefined && latest.since === since && (latest.days ?? 0) >= (days ?? 0);
}

function disableManually(endpointId: string): EndpointEvent {
  return { type: 'EndpointDisabled', data: { endpointId, reason: 'manual' } };
}

export const endpointDecider: OwnedDecider<Endpoint, EndpointCommand, EndpointEvent, ActiveEndpoint> = {
  category: 'endpoint',
  baseline: createJsonBaseline(2),
  versions: {
    EndpointCreated: 1,
    EndpointEdited: 1,
    EndpointDisabled: 1,
    EndpointWarned: 1,
    EndpointEnabled: 1,
    SecretRotated: 1,
    EndpointDeleted: 1,
    EndpointAbandoned: 1,
  },
  initial: { status: 'unknown' },
  isKnown: isActive,
  ownerOf: ({ business, mode }) => ({ business, mode }),
  evolve,
  decide,
};

/** Returns whether the endpoint never needs a secret again. */
export function isEndpointGone({ status }: Endpoint): boolean {
  return status === 'deleted' || status === 'abandoned';
}

/** Returns the state of the endpoint that a delivery chain depends on. */
export function toEndpointState(found: Endpoint): EndpointState {
  return isKnown(found)
    ? { status: found.status, disabledTimes: found.disabledTimes }
    : { status: 'deleted', disabledTimes: 0 };
}

export function findSecretId(found: Endpoint): string | undefined {
  return isKnown(found) ? found.secretId : undefined;
}

/** Returns the ids of all secrets in this history, oldest first. */
export function listSecretIds(history: readonly { readonly type: string; readonly data: object }[]): readonly string[] {
  const naming = history.filter(({ type }) => type === 'EndpointCreated' || type === 'SecretRotated');
  return naming.map(({ data }) => (data as { readonly secretId: string }).secretId);
}
