import { OWNER, type Owned } from '../../kernel/ownership.js';
import type { Recorded } from '../../kernel/event.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { ChainEvent, ChainFacts, EndOfAttempt } from '../domain/chain.js';

/** A delivery chain without a success, with its latest record. Replay jobs select from these documents. */
export interface ChainDocument extends Owned {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_type: string;
  readonly status: 'failed' | 'abandoned' | 'missed';
  /** The attempt of the latest record; 0 when there is none. */
  readonly attempt: number;
  readonly max_attempts: number;
  readonly occurred_at: string;
  /** The time that a replay window filters by: that of the latest record or, for a missed chain, that of the event. */
  readonly at: string;
}

type Source = Extract<ChainEvent, { type: EndOfAttempt['type'] | 'ChainMissed' | 'ChainAbandoned' }>;

/** Contains only chains without a success, so that a chain whose first attempt succeeds costs no write. */
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
