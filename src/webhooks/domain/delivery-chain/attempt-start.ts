import { addMs } from '../../../kernel/clock.js';
import { deliveryIdOf } from '../delivery-id.js';
import type {
  AttemptLease,
  DeliveryChainEvent,
  DeliveryChainFacts,
  KnownDeliveryChain,
  RedeliverChain,
  Replay,
  SendTest,
  StartedAttempt,
  WaitingChain,
} from './facts.js';

/** The properties of an attempt that depend on its kind. */
type StartDetails = Omit<StartedAttempt, 'chainId' | 'deliveryId' | 'attempt' | 'startedAt' | 'leaseUntil'> & {
  readonly leaseMs: number;
};

export function startAutomatic(
  { facts, attempts }: WaitingChain,
  { leaseMs, owner }: AttemptLease,
  now: string,
): DeliveryChainEvent {
  const { plannedBy: replayJobId } = facts;
  const ofJob = attempts === 0 && replayJobId !== undefined ? { replayJobId } : {};
  return startAttempt(facts, attempts + 1, { kind: 'automatic', replayedFrom: null, ...ofJob, leaseMs, owner }, now);
}

export function startFirst(
  facts: DeliveryChainFacts,
  { leaseMs, owner }: AttemptLease,
  now: string,
): DeliveryChainEvent {
  return startAttempt(facts, 1, { kind: 'automatic', replayedFrom: null, leaseMs, owner, facts }, now);
}

export function startReplay(
  { attempt, leaseMs, owner }: Replay,
  { facts, attempts }: KnownDeliveryChain,
  now: string,
): DeliveryChainEvent {
  const replayedFrom = deliveryIdOf(facts.chainId, attempt);
  return startAttempt(facts, attempts + 1, { kind: 'replay', replayedFrom, leaseMs, owner: owner ?? null }, now);
}

export function startTest({ facts, leaseMs, owner }: SendTest, now: string): DeliveryChainEvent {
  return startAttempt(facts, 1, { kind: 'test', replayedFrom: null, leaseMs, owner: owner ?? null, facts }, now);
}

/** The attempt takes over the current `disabledTimes` of the endpoint, so its retries survive an earlier disabling. */
export function startRedelivery(
  { replayJobId, endpointState, leaseMs, owner }: RedeliverChain,
  { facts, attempts }: KnownDeliveryChain,
  now: string,
): DeliveryChainEvent {
  const replayedFrom = attempts === 0 ? null : deliveryIdOf(facts.chainId, attempts);
  const { disabledTimes } = endpointState;
  return startAttempt(
    facts,
    attempts + 1,
    { kind: 'job', replayedFrom, replayJobId, disabledTimes, leaseMs, owner },
    now,
  );
}

function startAttempt(
  { chainId }: DeliveryChainFacts,
  attempt: number,
  { leaseMs, ...how }: StartDetails,
  now: string,
): DeliveryChainEvent {
  const deliveryId = deliveryIdOf(chainId, attempt);
  return {
    type: 'AttemptStarted',
    data: { chainId, deliveryId, attempt, ...how, startedAt: now, leaseUntil: addMs(now, leaseMs) },
  };
}
