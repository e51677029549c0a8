import type { RecordedEvent } from '../../kernel/event.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { DeliveryChainEvent } from '../domain/delivery-chain/facts.js';

/** A delivery chain whose next automatic attempt is due later or waits for a slot. */
export interface WaitingChainDocument {
  readonly id: string;
  readonly endpoint_id: string;
  readonly occurred_at: string;
}

type Source = Exclude<
  DeliveryChainEvent,
  { type: 'DeliveryChainHeld' | 'DeliveryChainSkipped' | 'DeliveryChainReleased' }
>;
type Event<T extends Source['type']> = EventOf<Source, T>;

/** A chain whose first attempt succeeds at once never waits, so it costs no write. */
export const waitingChains: Projection<WaitingChainDocument> = {
  name: 'waitingChains',
  version: 1,
  id: (event) =>
    isRelevant(event as RecordedEvent<string, Source['data']>) ? (event.data as { chainId: string }).chainId : null,
  indexes: [['endpoint_id', 'occurred_at']],
  on: {
    DeliveryChainPlanned: (_, { data }: Event<'DeliveryChainPlanned'>) => toDocument(data),
    DeliveryChainMissed: () => null,
    AttemptStarted: () => null,
    AttemptSucceeded: () => null,
    AttemptFailed: (_, { data }: Event<'AttemptFailed'>) => (data.nextAttemptAt === null ? null : toDocument(data)),
    AttemptLost: (_, { data }: Event<'AttemptLost'>) => (data.nextAttemptAt === null ? null : toDocument(data)),
    DeliveryChainAbandoned: () => null,
  } satisfies Changes<WaitingChainDocument, Source>,
};

/** Returns whether the chain may wait before or after the event. */
function isRelevant({ type, data }: RecordedEvent<string, Source['data']>): boolean {
  switch (type as Source['type']) {
    case 'DeliveryChainPlanned':
      return 'waits' in data;
    case 'AttemptStarted':
      return isStartAfterWaiting(data as Event<'AttemptStarted'>['data']);
    case 'AttemptSucceeded':
      return (data as Event<'AttemptSucceeded'>['data']).attempt > 1;
    case 'AttemptFailed':
    case 'AttemptLost': {
      const { attempt, nextAttemptAt } = data as Event<'AttemptFailed'>['data'];
      return attempt > 1 || nextAttemptAt !== null;
    }
    case 'DeliveryChainMissed':
    case 'DeliveryChainAbandoned':
      return true;
  }
}

/** A replay does not change a waiting retry. */
function isStartAfterWaiting({ kind, attempt, owner: run }: Event<'AttemptStarted'>['data']): boolean {
  return kind !== 'replay' && (attempt > 1 || run?.job.startsWith('attempt:') === true);
}

function toDocument({
  chainId,
  endpointId,
  occurredAt,
}: {
  readonly chainId: string;
  readonly endpointId: string;
  readonly occurredAt: string;
}) {
  return { id: chainId, endpoint_id: endpointId, occurred_at: occurredAt };
}
