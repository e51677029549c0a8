import type { Views } from '../../engine/reading/views.js';
import type { Recorded } from '../../kernel/event.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { ChainEvent, EndOfAttempt } from '../domain/chain.js';
import type { EndpointEvent } from '../domain/endpoint.js';
import { afterEnabling, afterFailure, afterRotation, afterSuccess, NOTHING_KNOWN, type Health } from '../domain/endpoint-health.js';
import type { EndpointDocument } from './endpoints.js';

export interface EndpointActivityDocument extends Health {
  readonly id: string;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
}

type Told = Extract<EndpointEvent, { type: 'EndpointDisabled' | 'EndpointEnabled' | 'SecretRotated' | 'EndpointDeleted' }>;

/** The health of an endpoint. The service delays attempts, warns owners and disables endpoints by it. */
export const endpointActivity: Projection<EndpointActivityDocument> = {
  name: 'endpointActivity',
  version: 3,
  decides: true,
  id: ({ data: { test, endpointId } }: Recorded<string, { endpointId: string; test?: boolean }>) => (test ? null : endpointId),
  indexes: [],
  on: {
    AttemptSucceeded: (known, end: EventOf<ChainEvent, 'AttemptSucceeded'>) => {
      const activity = known ?? nothingOf(end);
      return { ...activity, ...afterSuccess(activity, end), last_success_at: end.data.endedAt };
    },
    AttemptFailed: (known, end: EventOf<ChainEvent, 'AttemptFailed'>) => {
      const activity = known ?? nothingOf(end);
      return { ...activity, ...afterFailure(activity, end), last_failure_at: end.meta.at };
    },
    AttemptLost: (known, end: EventOf<ChainEvent, 'AttemptLost'>) => ({ ...(known ?? nothingOf(end)), last_failure_at: end.meta.at }),
    EndpointDisabled: (known, event: EventOf<EndpointEvent, 'EndpointDisabled'>) => {
      const activity = known ?? nothingOf(event);
      return { ...activity, disabled_times: activity.disabled_times + 1 };
    },
    EndpointEnabled: (known, event: EventOf<EndpointEvent, 'EndpointEnabled'>) => {
      const activity = known ?? nothingOf(event);
      return { ...activity, ...afterEnabling(activity) };
    },
    SecretRotated: (known, event: EventOf<EndpointEvent, 'SecretRotated'>) => {
      const activity = known ?? nothingOf(event);
      return { ...activity, ...afterRotation(activity, event.meta.at) };
    },
    EndpointDeleted: () => null,
  } satisfies Changes<EndpointActivityDocument, EndOfAttempt | Told>,
};

function nothingOf({ data }: { readonly data: { readonly endpointId: string } }): EndpointActivityDocument {
  return { id: data.endpointId, last_success_at: null, last_failure_at: null, ...NOTHING_KNOWN };
}

/** Adds the times of the last deliveries to the endpoint. These times may be stale. */
export async function withActivity(views: Views, document: EndpointDocument): Promise<EndpointDocument> {
  const [shown] = await allWithActivity(views, [document]);
  return shown!;
}

/** Does not wait for missing documents, because most endpoints of a page may have no delivery. */
export async function allWithActivity(views: Views, documents: readonly EndpointDocument[]): Promise<EndpointDocument[]> {
  const activities = await views.known(
    endpointActivity,
    documents.map(({ id }) => id),
  );
  return documents.map((document) => {
    const { last_success_at, last_failure_at } = activities.get(document.id) ?? document;
    return { ...document, last_success_at, last_failure_at };
  });
}

/** Returns an empty object when the endpoint has no delivery. */
export async function lastDeliveredTo(
  views: Views,
  endpointId: string,
): Promise<Partial<Pick<EndpointDocument, 'last_success_at' | 'last_failure_at'>>> {
  const activity = (await views.known(endpointActivity, [endpointId])).get(endpointId);
  return activity === undefined ? {} : { last_success_at: activity.last_success_at, last_failure_at: activity.last_failure_at };
}
