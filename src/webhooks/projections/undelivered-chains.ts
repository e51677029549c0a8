import type { RecordedOf } from '../../kernel/event.js';
import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { EventOf, Projection } from '../../kernel/projection.js';
import type { AttemptEndEvent, DeliveryChainEvent, DeliveryChainFacts } from '../domain/delivery-chain/facts.js';
import type { ReplayableStatus } from '../domain/replay-job.js';

/** A delivery chain without a success, with its latest record. Replay jobs select from these documents. */
export interface UndeliveredChainDocument extends Owned {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_type: string;
  readonly status: ReplayableStatus | 'missed';
  /** The attempt of the latest record; 0 without one. */
  readonly attempt: number;
  readonly max_attempts: number;
  readonly occurred_at: string;
  /** The time that a replay window filters by: that of the latest record or, for a missed chain, that of the event. */
  readonly at: string;
}

type Source = Extract<
  DeliveryChainEvent,
  { type: AttemptEndEvent['type'] | 'DeliveryChainPlanned' | 'DeliveryChainMissed' | 'DeliveryChainAbandoned' }
>;

/** Contains only chains without a success, so that a chain whose first attempt succeeds costs no write. */
export const undeliveredChains: Projection<UndeliveredChainDocument, Source> = {
  name: 'undeliveredChains',
  version: 1,
  stopOnPoison: true,
  id: (event) => (isRelevant(event) ? event.data.chainId : null),
  indexes: [
    [...OWNER_INDEX, 'at'],
    [...OWNER_INDEX, 'endpoint_id', 'at'],
  ],
  on: {
    DeliveryChainPlanned: () => null,
    DeliveryChainMissed: (_, { data }) => toDocument(data, 'missed', 0, data.occurredAt),
    AttemptSucceeded: () => null,
    AttemptFailed: applyFailure,
    AttemptLost: applyFailure,
    DeliveryChainAbandoned: (chain) => chain && { ...chain, status: 'abandoned' },
  },
};

/** A chain is missed before a plan only when a replay job has planned it. */
function isRelevant({ type, data }: RecordedOf<Source>): boolean {
  if (type === 'DeliveryChainPlanned') return data.plannedBy !== undefined;
  return !('test' in data && data.test);
}

function applyFailure(
  _: UndeliveredChainDocument | null,
  { data }: EventOf<Source, 'AttemptFailed' | 'AttemptLost'>,
): UndeliveredChainDocument | null {
  return data.afterSuccess === true ? null : toDocument(data, 'failed', data.attempt, data.startedAt);
}

function toDocument(
  facts: DeliveryChainFacts,
  status: UndeliveredChainDocument['status'],
  attempt: number,
  at: string,
): UndeliveredChainDocument {
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
