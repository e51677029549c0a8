import { categoryOfStream } from '../../../src/kernel/decider.js';
import type { Recorded, RecordedOf } from '../../../src/kernel/event.js';
import { chain, type ChainEvent } from '../../../src/webhooks/domain/chain.js';

type OfChain = RecordedOf<ChainEvent>;
type Started = Extract<OfChain, { type: 'AttemptStarted' }>;

/**
 * I9: after a 4xx no automatic attempt follows until a replay job redelivers the chain; a replay is an attempt of its own, which names the
 * one before it.
 */
export function unheededRefusals(log: readonly Recorded[]): string[] {
  const ofChains = log.filter(({ stream }) => categoryOfStream(stream) === chain.category) as OfChain[];
  return [...Map.groupBy(ofChains, ({ data }) => data.chainId)].flatMap(([chainId, events]) => [
    ...repetitions(events).map((attempt) => `${chainId} was refused, and attempt ${attempt} followed by itself`),
    ...events.filter(isAnonymousReplay).map(({ data }) => `${chainId}: attempt ${data.attempt} does not say what it replays`),
  ]);
}

/** The numbers of automatic attempts behind a refusal. */
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

/** A replay job's attempt at a chain that was missed has none before it. */
function isAnonymousReplay(event: OfChain): event is Started {
  if (event.type !== 'AttemptStarted' || event.data.attempt === 1) return false;
  const isReplay = event.data.kind === 'replay' || event.data.kind === 'job';
  return isReplay && event.data.replayedFrom === null;
}
