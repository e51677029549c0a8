import type { Views } from '../../engine/reading/views.js';
import { Progress } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { ChainEvent, Ended } from '../domain/chain.js';
import type { EndpointDocument } from './endpoints.js';

interface EndpointActivityDocument {
  readonly id: string;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
}

const NONE = { last_success_at: null, last_failure_at: null };

type EndOfAttempt = Extract<ChainEvent, { type: 'AttemptSucceeded' | 'AttemptFailed' | 'AttemptLost' }>;

/** What an endpoint's deliveries say of it; tests say nothing. */
export const endpointActivity: Projection<EndpointActivityDocument> = {
  name: 'endpointActivity',
  version: 1,
  id: ({ data: { test, endpointId } }: Recorded<string, Ended>) => (test ? null : endpointId),
  indexes: [],
  on: {
    AttemptSucceeded: (activity, { data }: EventOf<ChainEvent, 'AttemptSucceeded'>) => ({
      ...(activity ?? NONE),
      id: data.endpointId,
      last_success_at: data.endedAt,
    }),
    AttemptFailed: failed,
    AttemptLost: failed,
  } satisfies Changes<EndpointActivityDocument, EndOfAttempt>,
};

function failed(activity: EndpointActivityDocument | null, { data, meta }: Recorded<string, Ended>): EndpointActivityDocument {
  return { ...(activity ?? NONE), id: data.endpointId, last_failure_at: meta.at };
}

/** The endpoint as it is shown: beside its own stream's facts, when it was last delivered to, as far as that is known by now. */
export async function withActivity(views: Views, document: EndpointDocument): Promise<EndpointDocument> {
  return { ...document, ...(await views.get(endpointActivity, document.id, new Progress())) };
}
