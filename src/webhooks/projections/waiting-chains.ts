import type { Recorded } from '../../kernel/event.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { ChainEvent } from '../domain/chain.js';

/** A delivery chain whose next automatic attempt is due later or waits for a slot. */
export interface WaitingChainDocument {
  readonly id: string;
  readonly endpoint_id: string;
  readonly occurred_at: string;
}

type Source = Exclude<ChainEvent, { type: 'ChainHeld' | 'ChainSkipped' | 'ChainReleased' }>;
type Event<T extends Source['type']> = EventOf<Source, T>;

/** A chain whose first attempt succeeds at once never waits, so it costs no write. */
export const waitingChains: Projection<WaitingChainDocument> = {
  name: 'waitingChains',
  version: 1,
  id: (event) => (concerns(event as Recorded<string, Source['data']>) ? (event.data as { chainId: string }).chainId : null),
  indexes: [['endpoint_id', 'occurred_at']],
  on: {
    ChainPlanned: (_, { data }: Event<'ChainPlanned'>) => documentOf(data),
    ChainMissed: () => null,
    AttemptStarted: () => null,
    AttemptSucceeded: () => null,
    AttemptFailed: (_, { data }: Event<'AttemptFailed'>) => (data.nextAttemptAt === null ? null : documentOf(data)),
    AttemptLost: (_, { data }: Event<'AttemptLost'>) => (data.nextAttemptAt === null ? null : documentOf(data)),
    ChainAbandoned: () => null,
  } satisfies Changes<WaitingChainDocument, Source>,
};

/** Returns whether the chain may wait before or after the event. */
function concerns({ type, data }: Recorded<string, Source['data']>): boolean {
  switch (type as Source['type']) {
    case 'ChainPlanned':
      return 'waits' in data;
    case 'AttemptStarted':
      return isFromWaiting(data as Event<'AttemptStarted'>['data']);
    case 'AttemptSucceeded':
      return (data as Event<'AttemptSucceeded'>['data']).attempt > 1;
    case 'AttemptFailed':
    case 'AttemptLost': {
      const { attempt, nextAttemptAt } = data as Event<'AttemptFailed'>['data'];
      return attempt > 1 || nextAttemptAt !== null;
    }
    case 'ChainMissed':
    case 'ChainAbandoned':
      return true;
  }
}

/** A replay does not change a waiting retry. */
function isFromWaiting({ kind, attempt, run }: Event<'AttemptStarted'>['data']): boolean {
  return kind !== 'replay' && (attempt > 1 || run?.job.startsWith('attempt:') === true);
}

function documentOf({
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
