import { deliveryIdOf } from '../delivery-id.js';
import { isExpired } from '../expiry.js';
import type { DeliveryChainEvent, DropReason, EndpointState, KnownDeliveryChain, WaitingChain } from './facts.js';

/** Returns the reason why the next automatic attempt is dropped, or null. */
export function findDropReason(
  { facts, attempts, deliverableSince }: KnownDeliveryChain,
  endpointState: EndpointState,
  now: string,
): DropReason | null {
  if (endpointState.status !== 'enabled') return `endpoint_${endpointState.status}`;
  if (endpointState.disabledTimes !== facts.disabledTimes) return 'endpoint_disabled';
  if (isExpired(deliverableSince, now)) return 'expired';
  return attempts >= facts.maxAttempts ? 'attempts_exhausted' : null;
}

/** Drops the next attempt. A chain without attempts has no record to abandon, so it becomes missed. */
export function dropAttempt({ facts, attempts }: WaitingChain, reason: DropReason): DeliveryChainEvent {
  if (attempts === 0) return { type: 'DeliveryChainMissed', data: { ...facts, reason } };
  const { chainId, endpointId } = facts;
  return {
    type: 'DeliveryChainAbandoned',
    data: { chainId, deliveryId: deliveryIdOf(chainId, attempts), endpointId, reason },
  };
}
