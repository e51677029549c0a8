import { OWNER, type Owned } from '../../kernel/ownership.js';
import type { Recorded } from '../../kernel/event.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { ChainEvent, ChainFacts, EndOfAttempt } from '../domain/chain.js';

/** A chain in which nothing has been delivered yet, as its latest record stands: what a replay job selects from. */
export interface ChainDocument extends Owned {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_type: string;
  readonly status: 'failed' | 'abandoned' | 'missed';
  /** Of the latest record; 0 when there is none. */
  readonly attempt: number;
  readonly max_attempts: number;
  readonly occurred_at: string;
  /** By which a window selects it: the latest record's time, or of a missed chain the event's. */
  readonly at: string;
}

type Source = Extract<ChainEvent, { type: EndOfAttempt['type'] | 'ChainMissed' | 'ChainAbandoned' }>;

/** Only chains without a success are kept, so that what is delivered at once costs nothing here. */
export const chains: Projection<ChainDocument> = {
  name: 'chains',
  version: 1,
  decides: true,
  id: ({ data }: Recorded<string, { chainId: string; test?: boolean }>) => (data.test === true ? null : data.chainId),
  indexes: [
    [...OWNER, 'at'],
    [...OWNER, 'endpoint_id', 'at'],
  ],
  on: {
    ChainMissed: (_, { data }: EventOf<ChainEvent, 'ChainMissed'>) => documentOf(data, 'missed', 0, data.occurredAt),
    AttemptSucceeded: () => null,
    AttemptFailed: failed,
    AttemptLost: failed,
    ChainAbandoned: (chain) => chain && { ...chain, status: 'abandoned' },
  } satisfies Changes<ChainDocument, Source>,
};

function failed(_: ChainDocument | null, { data }: EventOf<ChainEvent, 'AttemptFailed' | 'AttemptLost'>): ChainDocument | null {
  return data.afterSuccess === true ? null : documentOf(data, 'failed', data.attempt, data.startedAt);
}

function documentOf(facts: ChainFacts, status: ChainDocument['status'], attempt: number, at: string): ChainDocument {
  return {
    id: facts.chainId,
    endpoint_id: facts.endpointId,
    event_type: facts.eventType,
    status,
    attempt,
    max_attempts: facts.maxAttempts,
    occurred_at: facts.occurredAt,
    at,
    _business: facts.businessId,
    _mode: facts.mode,
  };
}
