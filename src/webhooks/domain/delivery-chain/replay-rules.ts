import { Rejection } from '../../../kernel/rejection.js';
import { deliveryIdOf } from '../delivery-id.js';
import { DELIVERABLE_DAYS, isExpired } from '../expiry.js';
import type { DeliveryChain, EndpointState, KnownDeliveryChain } from './facts.js';

/** @throws Rejection when this attempt cannot be replayed now. The checks follow the order of the contract. */
export function assertReplayable(
  chain: DeliveryChain,
  attempt: number,
  endpointState: EndpointState,
  now: string,
): asserts chain is KnownDeliveryChain {
  if (chain.status === 'unknown' || attempt < 1 || attempt > chain.attempts) throw Rejection.notFound();
  if (endpointState.status === 'deleted') throw new Rejection('endpoint_disabled', 'The endpoint has been deleted.');
  if (endpointState.status === 'disabled')
    throw new Rejection('endpoint_disabled', 'The endpoint is disabled. Enable it to replay its deliveries.');
  assertNotInReplayJob(chain, attempt);
  if (chain.status === 'sending') throw new Rejection('delivery_in_progress', 'The delivery is in progress.');
  const { occurredAt, maxAttempts } = chain.facts;
  if (isExpired(occurredAt, now))
    throw new Rejection('expired', `The event occurred more than ${DELIVERABLE_DAYS} days ago.`);
  if (chain.attempts >= maxAttempts)
    throw new Rejection('attempts_exhausted', `The delivery has used all ${maxAttempts} attempts.`);
}

const HELD = 'A replay job holds this delivery. Try again when the job has ended.';

function describeRedelivery(id: string): string {
  return `A replay job has redelivered this delivery as ${id}. Replay that delivery instead.`;
}

/** While a job holds the chain, no record can be replayed. After a redelivery, only the new record can be replayed. */
function assertNotInReplayJob(chain: KnownDeliveryChain, attempt: number): void {
  const { heldBy, redelivered, facts } = chain;
  const isBeingRedelivered = chain.status === 'sending' && chain.open.attempt === redelivered;
  if (heldBy !== null || (isBeingRedelivered && attempt < redelivered))
    throw new Rejection('delivery_replayed_by_job', HELD);
  if (attempt < redelivered)
    throw Rejection.lasting('delivery_replayed_by_job', describeRedelivery(deliveryIdOf(facts.chainId, redelivered)));
}
