import type { ChainFacts } from '../domain/chain.js';
import type { Telling } from './envelope.js';

/**
 * Builds the payload of a test from its delivery chain. A test has no public event, since only one endpoint receives
 * it.
 */
export function testTellingOf({ eventId, eventType: type, eventVersion: version, occurredAt, endpointId, sample }: ChainFacts): Telling {
  const data = sample ?? { endpoint: { object: 'webhook_endpoint', id: endpointId } };
  return { eventId, type, version, occurredAt, test: true, data };
}
