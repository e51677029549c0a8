import type { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { AttemptEndEvent, DeliveryChainEvent } from '../domain/delivery-chain/facts.js';
import type { EndpointEvent } from '../domain/endpoint.js';
import {
  applyEnabling,
  applyFailure,
  applyRotation,
  applySuccess,
  type EndpointHealth,
  NO_HISTORY,
} from '../domain/endpoint-health.js';
import type { EndpointDocument } from './endpoints.js';

export interface EndpointHealthDocument extends EndpointHealth {
  readonly id: string;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
}

type EndpointSource = Extract<
  EndpointEvent,
  { type: 'EndpointDisabled' | 'EndpointEnabled' | 'SecretRotated' | 'EndpointDeleted' }
>;

/** The health of an endpoint. The service delays attempts, warns owners and disables endpoints by it. */
export const endpointHealth: Projection<EndpointHealthDocument> = {
  name: 'endpointHealth',
  version: 3,
  stopOnPoison: true,
  id: ({ data: { test, endpointId } }: RecordedEvent<string, { endpointId: string; test?: boolean }>) =>
    test ? null : endpointId,
  indexes: [],
  on: {
    AttemptSucceeded: (known, end: EventOf<DeliveryChainEvent, 'AttemptSucceeded'>) => {
      const activity = known ?? createDocument(end);
      return { ...activity, ...applySuccess(activity, end), last_success_at: end.data.endedAt };
    },
    AttemptFailed: (known, end: EventOf<DeliveryChainEvent, 'AttemptFailed'>) => {
      const activity = known ?? createDocument(end);
      return { ...activity, ...applyFailure(activity, end), last_failure_at: end.meta.at };
    },
    AttemptLost: (known, end: EventOf<DeliveryChainEvent, 'AttemptLost'>) => ({
      ...(known ?? createDocument(end)),
      last_failure_at: end.meta.at,
    }),
    EndpointDisabled: (known, event: EventOf<EndpointEvent, 'EndpointDisabled'>) => {
      const activity = known ?? createDocument(event);
      return { ...activity, disabled_times: activity.disabled_times + 1 };
    },
    EndpointEnabled: (known, event: EventOf<EndpointEvent, 'EndpointEnabled'>) => {
      const activity = known ?? createDocument(event);
      return { ...activity, ...applyEnabling(activity) };
    },
    SecretRotated: (known, event: EventOf<EndpointEvent, 'SecretRotated'>) => {
      const activity = known ?? createDocument(event);
      return { ...activity, ...applyRotation(activity, event.meta.at) };
    },
    EndpointDeleted: () => null,
  } satisfies Changes<EndpointHealthDocument, AttemptEndEvent | EndpointSource>,
};

function createDocument({ data }: { readonly data: { readonly endpointId: string } }): EndpointHealthDocument {
  return { id: data.endpointId, last_success_at: null, last_failure_at: null, ...NO_HISTORY };
}

/** Adds the times of the last deliveries to the endpoint. These times may be stale. */
export async function addLastDelivery(reader: ReadModelReader, document: EndpointDocument): Promise<EndpointDocument> {
  const [shown] = await addLastDeliveries(reader, [document]);
  return shown!;
}

/** Does not wait for missing documents, because most endpoints of a page may have no delivery. */
export async function addLastDeliveries(
  reader: ReadModelReader,
  documents: readonly EndpointDocument[],
): Promise<EndpointDocument[]> {
  const activities = await reader.getExisting(
    endpointHealth,
    documents.map(({ id }) => id),
  );
  return documents.map((document) => {
    const { last_success_at, last_failure_at } = activities.get(document.id) ?? document;
    return { ...document, last_success_at, last_failure_at };
  });
}

/** Returns an empty object when the endpoint has no delivery. */
export async function findLastDelivery(
  reader: ReadModelReader,
  endpointId: string,
): Promise<Partial<Pick<EndpointDocument, 'last_success_at' | 'last_failure_at'>>> {
  const activity = (await reader.getExisting(endpointHealth, [endpointId])).get(endpointId);
  return activity === undefined
    ? {}
    : { last_success_at: activity.last_success_at, last_failure_at: activity.last_failure_at };
}
