import type { Projection } from '../../kernel/projection.js';
import type { AttemptEndEvent } from '../domain/delivery-chain/facts.js';
import type { EndpointEvent } from '../domain/endpoint.js';
import {
  applyEnabling,
  applyFailure,
  applyNewUrl,
  applyRotation,
  applySuccess,
  type EndpointHealth,
  NO_HISTORY,
} from '../domain/endpoint-health.js';

export interface EndpointHealthDocument extends EndpointHealth {
  readonly id: string;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
}

type Source =
  | AttemptEndEvent
  | Extract<
      EndpointEvent,
      { type: 'EndpointDisabled' | 'EndpointEdited' | 'EndpointEnabled' | 'SecretRotated' | 'EndpointDeleted' }
    >;

/** The health of an endpoint. The service delays attempts, warns owners and disables endpoints by it. */
export const endpointHealth: Projection<EndpointHealthDocument, Source> = {
  name: 'endpointHealth',
  version: 4,
  stopOnPoison: true,
  id: ({ data }) => ('test' in data && data.test ? null : data.endpointId),
  indexes: [],
  on: {
    AttemptSucceeded: (known, end) => {
      const activity = known ?? createDocument(end);
      return { ...activity, ...applySuccess(activity, end), last_success_at: end.data.endedAt };
    },
    AttemptFailed: (known, end) => {
      const activity = known ?? createDocument(end);
      return { ...activity, ...applyFailure(activity, end), last_failure_at: end.meta.at };
    },
    AttemptLost: (known, end) => ({
      ...(known ?? createDocument(end)),
      last_failure_at: end.meta.at,
    }),
    EndpointEdited: (known, { data }) =>
      known === null || data.changes.url === undefined ? known : { ...known, ...applyNewUrl(known) },
    EndpointDisabled: (known, event) => {
      const activity = known ?? createDocument(event);
      return { ...activity, disabled_times: activity.disabled_times + 1 };
    },
    EndpointEnabled: (known, event) => {
      const activity = known ?? createDocument(event);
      return { ...activity, ...applyEnabling(activity) };
    },
    SecretRotated: (known, event) => {
      const activity = known ?? createDocument(event);
      return { ...activity, ...applyRotation(activity, event.meta.at) };
    },
    EndpointDeleted: () => null,
  },
};

function createDocument({ data }: { readonly data: { readonly endpointId: string } }): EndpointHealthDocument {
  return { id: data.endpointId, last_success_at: null, last_failure_at: null, ...NO_HISTORY };
}
