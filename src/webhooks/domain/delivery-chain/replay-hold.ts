import { startRedelivery } from './attempt-start.js';
import type {
  Decision,
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
export function holdChain(command: HoldDeliveryChain, chain: KnownDeliveryChain): Decision {
  const { replayJobId, attempt, endpointState } = command;
  if (chain.heldBy === replayJobId) return [];
  const hasChanged = chain.status === 'sending' || chain.heldBy !== null || chain.attempts !== attempt;
  const reason = hasChanged ? 'changed' : findSkipReason({ ...chain.facts, attempts: chain.attempts }, endpointState);
  if (reason !== null) return [skipChain(chain, replayJobId, reason)];
  return [{ type: 'DeliveryChainHeld', data: { ...toJobReference(chain, replayJobId), attempt } }];
}

/** Sends a chain that the job holds, or skips it when it cannot be sent any more. */
export function redeliverChain(command: RedeliverChain, chain: DeliveryChain, now: string): Decision {
  const { replayJobId, endpointState } = command;
  if (!isHeldBy(chain, replayJobId)) return [];
  const reason = findSkipReason({ ...chain.facts, attempts: chain.attempts }, endpointState);
  return [reason === null ? startRedelivery(command, chain, now) : skipChain(chain, replayJobId, reason)];
}

export function releaseChain(replayJobId: string, chain: DeliveryChain): Decision {
  return isHeldBy(chain, replayJobId)
    ? [{ type: 'DeliveryChainReleased', data: toJobReference(chain, replayJobId) }]
    : [];
}

export function isHeldBy(chain: DeliveryChain, replayJobId: string): chain is KnownDeliveryChain {
  return chain.status !== 'unknown' && chain.heldBy === replayJobId;
}

/**
 * Checks the current state of the endpoint, because the endpoint may have been disabled after planning. Jobs redeliver
 * events of any age.
 */
export function findSkipReason(
  { attempts, maxAttempts }: SkipCandidate,
  endpointState: EndpointState,
): SkipReason | null {
  if (endpointState.status !== 'enabled') return 'endpoint_disabled';
  return attempts >= maxAttempts ? 'attempts_exhausted' : null;
}

interface SkipCandidate {
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
