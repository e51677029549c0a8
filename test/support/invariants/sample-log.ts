import type { Fact, RecordedEvent } from '../../../src/kernel/event.js';
import type { Attempt, DeliveryChainFacts } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { createEvent } from '../jar.js';
import type { ReceivedRequest } from '../receiver.js';

/** A fact with its stream and the request that caused it. */
export type SampleFact = readonly [stream: string, fact: Fact, requestId?: string];

/** Creates a log of these facts, in order. */
export function createLog(...facts: readonly SampleFact[]): RecordedEvent[] {
  const revisions = new Map<string, number>();
  return facts.map(([stream, { type, data }, requestId = 'req_1'], i) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const event = createEvent(`${stream} ${revision}`, type, data);
    return { ...event, meta: { ...event.meta, requestId }, stream, revision, position: String(i + 1).padStart(4, '0') };
  });
}

/** Creates the request that a receiver gets from an attempt. */
export function createRequest(
  chain: DeliveryChainFacts,
  { deliveryId, attempt }: Attempt,
  headers: ReceivedRequest['headers'] = {},
): ReceivedRequest {
  const body = JSON.stringify({ id: chain.eventId, occurred_at: chain.occurredAt, delivery_id: deliveryId, attempt });
  return { method: 'POST', path: '/hook', headers, body, receivedAt: Date.parse(chain.occurredAt) };
}
