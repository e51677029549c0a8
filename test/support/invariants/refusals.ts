import { categoryOfStream } from '../../../src/kernel/decider.js';
import type { Recorded, RecordedOf } from '../../../src/kernel/event.js';
import { chain, type ChainEvent } from '../../../src/webhooks/domain/chain.js';

type OfChain = RecordedOf<ChainEvent>;
type Started = Extract<OfChain, { type: 'AttemptStarted' }>;

/**
 * I9: finds automatic attempts after a 4xx response before a replay job redelivers the delivery chain, and replays that
 * do
 * not name the replayed attempt.
 */
export function unheededRefusals(log: readonly Recorded[]): string[] {
  const ofChains = log.filter(({ stream }) => categoryOfStream(stream) === chain.category) as OfChain[];
  return [...Map.groupBy(ofChains, ({ data }) => data.chainId)].flatMap(([chainId, events]) => [
    ...repetitions(events).map((attempt) => `${chainId} got a 4xx response, but the automatic attempt ${attempt} followed`),
    ...events.filter(isAnonymousReplay).map(({ data }) => `${chainId}: attempt ${data.attempt} does not name the replayed attempt`),
  ]);
}

/** Returns the numbers of automatic attempts after a 4xx response. */
function repetitions(events: readonly OfChain[]): number[] {
  let isRefused = false;
  return events.flatMap((event) => {
    if (event.type === 'AttemptFailed') isRefused ||= isRefusal(event.data.responseStatus);
    if (event.type !== 'AttemptStarted') return [];
    if (event.data.kind === 'job') isRefused = false;
    return isRefused && event.data.kind === 'automatic' ? [event.data.attempt] : [];
  });
}

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}

/** The first attempt of a missed delivery chain replays no earlier attempt. */
function isAnonymousReplay(event: OfChain): event is Started {
  if (event.type !== 'AttemptStarted' || event.data.attempt === 1) return false;
  const isReplay = event.data.kind === 'replay' || event.data.kind === 'job';
  return isReplay && event.data.replayedFrom === null;
}
