import type { RecordedOf } from '../../kernel/event.js';
import type { EventOf, Projection } from '../../kernel/projection.js';
import type { DeliveryChainEvent, DeliveryChainFacts } from '../domain/delivery-chain/facts.js';

/** A delivery chain whose next automatic attempt is due later or waits for a slot. */
export interface WaitingChainDocument {
  readonly id: string;
  readonly endpoint_id: string;
  readonly occurred_at: string;
  /** From this time on the attempt waits for the service, not for its schedule. */
  readonly due_at: string;
}

type DeliveryChainReference = Pick<DeliveryChainFacts, 'chainId' | 'endpointId' | 'occurredAt'>;
type Source = Exclude<
  DeliveryChainEvent,
  { type: 'DeliveryChainHeld' | 'DeliveryChainSkipped' | 'DeliveryChainReleased' }
>;

/** A chain whose first attempt succeeds at once never waits, so it costs no write. */
export const waitingChains: Projection<WaitingChainDocument, Source> = {
  name: 'waitingChains',
  version: 2,
  id: (event) => (isRelevant(event) ? event.data.chainId : null),
  indexes: [
    ['endpoint_id', 'occurred_at'],
    ['endpoint_id', 'due_at'],
  ],
  on: {
    DeliveryChainPlanned: (_, { data }) => toDocument(data, data.dueAt),
    DeliveryChainMissed: () => null,
    AttemptStarted: () => null,
    AttemptSucceeded: () => null,
    AttemptFailed: (_, { data }) => toDocument(data, data.nextAttemptAt),
    AttemptLost: (_, { data }) => toDocument(data, data.nextAttemptAt),
    DeliveryChainAbandoned: () => null,
  },
};

/** Returns whether the chain may wait before or after the event. */
function isRelevant({ type, data }: RecordedOf<Source>): boolean {
  switch (type) {
    case 'DeliveryChainPlanned':
      return 'waits' in data;
    case 'AttemptStarted':
      return isStartAfterWaiting(data);
    case 'AttemptSucceeded':
      return data.attempt > 1;
    case 'AttemptFailed':
    case 'AttemptLost':
      return data.attempt > 1 || data.nextAttemptAt !== null;
    case 'DeliveryChainMissed':
    case 'DeliveryChainAbandoned':
      return true;
  }
}

/** A replay does not change a waiting retry. */
function isStartAfterWaiting({ kind, attempt, owner }: EventOf<Source, 'AttemptStarted'>['data']): boolean {
  return kind !== 'replay' && (attempt > 1 || owner?.job.startsWith('attempt:') === true);
}

/** Returns null when no attempt is due any more. */
function toDocument(
  { chainId, endpointId, occurredAt }: DeliveryChainReference,
  dueAt: string | null,
): WaitingChainDocument | null {
  return dueAt === null ? null : { id: chainId, endpoint_id: endpointId, occurred_at: occurredAt, due_at: dueAt };
}
