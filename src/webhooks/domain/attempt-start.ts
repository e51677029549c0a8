import { isoAfter } from '../../kernel/clock.js';
import type { Begin, ChainCommand, ChainEvent, ChainFacts, KnownChain, Replay, Started, Waiting } from './chain.js';
import { deliveryIdOf } from './delivery-id.js';
import type { Redeliver } from './holding.js';

/** The properties of an attempt that depend on its kind. */
type How = Omit<Started, 'chainId' | 'deliveryId' | 'attempt' | 'startedAt' | 'leaseUntil'> & { readonly leaseMs: number };

export function automatic({ facts, attempts }: Waiting, { leaseMs, run }: Begin, now: string): ChainEvent {
  return started(facts, attempts + 1, { kind: 'automatic', replayedFrom: null, leaseMs, run }, now);
}

export function replay({ attempt, leaseMs, run }: Replay, { facts, attempts }: KnownChain, now: string): ChainEvent {
  const replayedFrom = deliveryIdOf(facts.chainId, attempt);
  return started(facts, attempts + 1, { kind: 'replay', replayedFrom, leaseMs, run: run ?? null }, now);
}

export function onlyTest({ facts, leaseMs, run }: Extract<ChainCommand, { type: 'SendTest' }>, now: string): ChainEvent {
  return started(facts, 1, { kind: 'test', replayedFrom: null, leaseMs, run: run ?? null }, now);
}

/** The attempt takes over the current `disabledTimes` of the endpoint, so its retries survive an earlier disabling. */
export function redelivery({ replayJobId, target, leaseMs, run }: Redeliver, { facts, attempts }: KnownChain, now: string): ChainEvent {
  const replayedFrom = attempts === 0 ? null : deliveryIdOf(facts.chainId, attempts);
  const { disabledTimes } = target;
  return started(facts, attempts + 1, { kind: 'job', replayedFrom, replayJobId, disabledTimes, leaseMs, run }, now);
}

function started({ chainId }: ChainFacts, attempt: number, { leaseMs, ...how }: How, now: string): ChainEvent {
  const deliveryId = deliveryIdOf(chainId, attempt);
  return { type: 'AttemptStarted', data: { chainId, deliveryId, attempt, ...how, startedAt: now, leaseUntil: isoAfter(now, leaseMs) } };
}
