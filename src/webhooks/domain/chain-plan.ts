import { type DeliveryChainFacts, MAX_ATTEMPTS } from './delivery-chain/facts.js';
import { deliveryChainIdOf } from './delivery-id.js';
import { type Endpoint, toEndpointState } from './endpoint.js';
import { isSubscribedTo } from './event-types.js';
import type { PublicEvent } from './public-event.js';

/** The parts of a public event on which its deliveries depend. */
export type PlannedEvent = Omit<PublicEvent, 'data' | 'sequence' | 'changes'>;

/** Returns the facts of the chain that delivers the event to the endpoint; null when the endpoint does not get it. */
export function planChain(
  { eventId, type, version, occurredAt, businessId, mode }: PlannedEvent,
  endpoint: Endpoint,
): DeliveryChainFacts | null {
  if (!('settings' in endpoint) || !isSubscribedTo(endpoint.settings.eventTypes, type)) return null;
  if (endpoint.business !== businessId || endpoint.mode !== mode) return null;
  return {
    chainId: deliveryChainIdOf(occurredAt, eventId, endpoint.id),
    eventId,
    eventType: type,
    eventVersion: version,
    occurredAt,
    endpointId: endpoint.id,
    businessId,
    mode,
    test: false,
    maxAttempts: MAX_ATTEMPTS,
    disabledTimes: toEndpointState(endpoint).disabledTimes,
  };
}
