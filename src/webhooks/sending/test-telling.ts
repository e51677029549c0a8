import type { ChainFacts } from '../domain/chain.js';
import type { Telling } from './envelope.js';

/** A test is no public event: nobody else receives it, and the chain says all of it. */
export function testTellingOf({ eventId, eventType: type, eventVersion: version, occurredAt, endpointId, sample }: ChainFacts): Telling {
  const data = sample ?? { endpoint: { object: 'webhook_endpoint', id: endpointId } };
  return { eventId, type, version, occurredAt, test: true, data };
}
