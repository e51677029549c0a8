import { extractCategory } from '../../../src/kernel/decider.js';
import type { RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainEvent } from '../../../src/webhooks/domain/delivery-chain/facts.js';

type OfChain = RecordedOf<DeliveryChainEvent>;
type Started = Extract<OfChain, { type: 'AttemptStarted' }>;

/**
 * I9: finds automatic attempts after a 4xx response before a replay job redelivers the delivery chain, and replays that
 * do
 * not name the replayed attempt.
 */
export function findRetriesAfterClientError(log: readonly RecordedEvent[]): string[] {
  const ofChains = log.filter(({ stream }) => extractCategory(stream) === deliveryChainDecider.category) as OfChain[];
  return [...Map.groupBy(ofChains, ({ data }) => data.chainId)].flatMap(([chainId, events]) => [
    ...findAutomaticAttempts(events).map(
      (attempt) => `${chainId} got a 4xx response, but the automatic attempt ${attempt} followed`,
    ),
    ...events
      .filter(isAnonymousReplay)
      .map(({ data }) => `${chainId}: attempt ${data.attempt} does not name the replayed attempt`),
  ]);
}

/** Returns the numbers of automatic attempts after a 4xx response. */
function findAutomaticAttempts(events: readonly OfChain[]): number[] {
  let hasClientError = false;
  return events.flatMap((event) => {
    if (event.type === 'AttemptFailed') hasClientError ||= isClientError(event.data.responseStatus);
    if (event.type !== 'AttemptStarted') return [];
    if (event.data.kind === 'job') hasClientError = false;
    return hasClientError && event.data.kind === 'automatic' ? [event.data.attempt] : [];
  });
}

function isClientError(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}

/** The first attempt of a missed delivery chain replays no earlier attempt. */
function isAnonymousReplay(event: OfChain): event is Started {
  if (event.type !== 'AttemptStarted' || event.data.attempt === 1) return false;
  const isReplay = event.data.kind === 'replay' || event.data.kind === 'job';
  return isReplay && event.data.replayedFrom === null;
}
