import type { DeliveryChainFacts } from '../domain/delivery-chain/facts.js';
import type { EventPayload } from './envelope.js';

/**
 * Builds the payload of a test from its delivery chain. A test has no public event, since only one endpoint receives
 * it.
 */
export function toTestEventPayload({
  eventId,
  eventType: type,
  eventVersion: version,
  occurredAt,
  endpointId,
  sample,
}: DeliveryChainFacts): EventPayload {
  const data = sample ?? { endpoint: { object: 'webhook_endpoint', id: endpointId } };
  return { eventId, type, version, occurredAt, sequence: 0, test: true, data, changes: null };
}
