import type { Fact } from '../../../kernel/event.js';
import { isExpired } from '../expiry.js';
import type { AttemptOwner, DeliveryChain, DeliveryChainEvent, KnownDeliveryChain } from './delivery-chain.js';
import type { EndpointState } from './endpoint-state.js';

/** The reasons why a replay job does not redeliver a selected chain. */
export type SkipReason = 'changed' | 'endpoint_disabled' | 'expired' | 'attempts_exhausted';

interface ReplayJobReference {
  readonly chainId: string;
  readonly endpointId: string;
  readonly replayJobId: string;
}

export type ReplayHoldEvent =
  | Fact<'DeliveryChainHeld', ReplayJobReference & { attempt: number }>
  /** Skipping also ends the hold of the job. */
  | Fact<'DeliveryChainSkipped', ReplayJobReference & { reason: SkipReason }>
  | Fact<'DeliveryChainReleased', ReplayJobReference>;

export const replayHoldVersions = { DeliveryChainHeld: 1, DeliveryChainSkipped: 1, DeliveryChainReleased: 1 } as const;

export type ReplayHoldCommand =
  /** `attempt` is the last attempt of the chain at selection time; 0 for a missed chain. */
  | {
      readonly type: 'HoldDeliveryChain';
      readonly replayJobId: string;
      readonly attempt: number;
      readonly target: EndpointState;
    }
  | {
      readonly type: 'RedeliverChain';
      readonly replayJobId: string;
      readonly target: EndpointState;
      readonly leaseMs: number;
      readonly owner: AttemptOwner;
    }
  | { readonly type: 'ReleaseDeliveryChain'; readonly replayJobId: string };

type HoldDeliveryChain = Extract<ReplayHoldCommand, { type: 'HoldDeliveryChain' }>;
export type RedeliverChain = Extract<ReplayHoldCommand, { type: 'RedeliverChain' }>;

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
