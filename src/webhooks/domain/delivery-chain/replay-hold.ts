import { isExpired } from '../expiry.js';
import type {
  DeliveryChain,
  DeliveryChainEvent,
  EndpointState,
  HoldDeliveryChain,
  KnownDeliveryChain,
  RedeliverChain,
  ReplayJobReference,
  SkipReason,
} from './facts.js';

/** Holds the chain for the job. No other automatic or manual attempt starts while the job holds it. */
export function holdChain(
  command: HoldDeliveryChain,
  chain: KnownDeliveryChain,
  now: string,
): readonly DeliveryChainEvent[] {
  const { replayJobId, attempt, target } = command;
  if (chain.heldBy === replayJobId) return [];
  const hasChanged = chain.status === 'sending' || chain.heldBy !== null || chain.attempts !== attempt;
  const reason = hasChanged ? 'changed' : findSkipReason({ ...chain.facts, attempts: chain.attempts }, target, now);
  if (reason !== null) return [skipChain(chain, replayJobId, reason)];
  return [{ type: 'DeliveryChainHeld', data: { ...toJobReference(chain, replayJobId), attempt } }];
}

/** Returns the event that skips a held chain when the job is about to send it; null when the job may send it. */
export function skipAtSending(
  { replayJobId, target }: RedeliverChain,
  chain: KnownDeliveryChain,
  now: string,
): DeliveryChainEvent | null {
  const reason = findSkipReason({ ...chain.facts, attempts: chain.attempts }, target, now);
  return reason && skipChain(chain, replayJobId, reason);
}

export function releaseChain(replayJobId: string, chain: KnownDeliveryChain): readonly DeliveryChainEvent[] {
  return isHeldBy(chain, replayJobId)
    ? [{ type: 'DeliveryChainReleased', data: toJobReference(chain, replayJobId) }]
    : [];
}

export function isHeldBy(chain: DeliveryChain, replayJobId: string): chain is KnownDeliveryChain {
  return chain.status !== 'unknown' && chain.heldBy === replayJobId;
}

/** Checks the current state of the endpoint, because the endpoint may have been disabled after planning. */
export function findSkipReason(
  { occurredAt, attempts, maxAttempts }: SkipCandidate,
  target: EndpointState,
  now: string,
): SkipReason | null {
  if (target.status !== 'enabled') return 'endpoint_disabled';
  if (isExpired(occurredAt, now)) return 'expired';
  return attempts >= maxAttempts ? 'attempts_exhausted' : null;
}

interface SkipCandidate {
  readonly occurredAt: string;
  readonly attempts: number;
  readonly maxAttempts: number;
}

function skipChain(chain: KnownDeliveryChain, replayJobId: string, reason: SkipReason): DeliveryChainEvent {
  return { type: 'DeliveryChainSkipped', data: { ...toJobReference(chain, replayJobId), reason } };
}

function toJobReference(
  { facts: { chainId, endpointId } }: KnownDeliveryChain,
  replayJobId: string,
): ReplayJobReference {
  return { chainId, endpointId, replayJobId };
}
