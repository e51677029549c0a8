import { Rejection } from '../../kernel/rejection.js';
import type { Delivery, DeliveryEvent, KnownDelivery, Waiting } from './delivery.js';
import { deliveryIdOf } from './delivery-id.js';

const REPLAYABLE_DAYS = 30;
const DAY_MS = 86_400_000;

export type DropReason = 'endpoint_disabled' | 'endpoint_deleted' | 'expired' | 'attempts_exhausted';

/** The endpoint as its own stream tells it. */
export interface Target {
  readonly status: 'enabled' | 'disabled' | 'deleted';
  readonly disabledTimes: number;
}

/** Why an automatic attempt that was to follow is given up, if it is. */
export function reasonToDrop({ chain, attempts }: KnownDelivery, target: Target, now: string): DropReason | null {
  if (target.status !== 'enabled') return `endpoint_${target.status}`;
  if (target.disabledTimes !== chain.disabledTimes) return 'endpoint_disabled';
  if (isExpired(chain.occurredAt, now)) return 'expired';
  return attempts >= chain.maxAttempts ? 'attempts_exhausted' : null;
}

/** A chain without an attempt has no record to abandon: it was missed. */
export function dropped({ chain, attempts }: Waiting, reason: DropReason): DeliveryEvent {
  if (attempts === 0) return { type: 'ChainMissed', data: { ...chain, reason } };
  const { chainId, endpointId } = chain;
  return { type: 'ChainAbandoned', data: { chainId, deliveryId: deliveryIdOf(chainId, attempts), endpointId, reason } };
}

/**
 * The chain, when this attempt of it may be replayed now.
 * @throws Rejection in the contract's order
 */
export function refuseReplay(delivery: Delivery, attempt: number, target: Target, now: string): KnownDelivery {
  if (delivery.status === 'unknown' || attempt < 1 || attempt > delivery.attempts) throw Rejection.notFound();
  if (target.status === 'deleted') throw new Rejection('endpoint_disabled', 'The endpoint has been deleted.');
  if (target.status === 'disabled')
    throw new Rejection('endpoint_disabled', 'The endpoint is disabled. Enable it to replay its deliveries.');
  if (delivery.status === 'sending') throw new Rejection('delivery_in_progress', 'This delivery is being sent right now.');
  if (isExpired(delivery.chain.occurredAt, now))
    throw new Rejection('expired', `The event occurred more than ${REPLAYABLE_DAYS} days ago.`);
  if (delivery.attempts >= delivery.chain.maxAttempts)
    throw new Rejection('attempts_exhausted', `All ${delivery.chain.maxAttempts} attempts of this delivery are used up.`);
  return delivery;
}

function isExpired(occurredAt: string, now: string): boolean {
  return Date.parse(now) - Date.parse(occurredAt) > REPLAYABLE_DAYS * DAY_MS;
}
