import type { Fact, Recorded } from '../../../src/kernel/event.js';
import type { ChainFacts, Attempt } from '../../../src/webhooks/domain/chain.js';
import type { Received } from '../receiver.js';
import { happened } from '../jar.js';

/** A fact with its stream and the request that caused it. */
export type Planted = readonly [stream: string, fact: Fact, requestId?: string];

/** Creates a log of these facts, in order. */
export function logOf(...planted: readonly Planted[]): Recorded[] {
  const revisions = new Map<string, number>();
  return planted.map(([stream, { type, data }, requestId = 'req_1'], i) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const event = happened(`${stream} ${revision}`, type, data);
    return { ...event, meta: { ...event.meta, requestId }, stream, revision, position: String(i + 1).padStart(4, '0') };
  });
}

/** Creates the request that a receiver gets from an attempt. */
export function requestOf(chain: ChainFacts, { deliveryId, attempt }: Attempt, headers: Received['headers'] = {}): Received {
  const body = JSON.stringify({ id: chain.eventId, occurred_at: chain.occurredAt, delivery_id: deliveryId, attempt });
  return { method: 'POST', path: '/hook', headers, body, receivedAt: Date.parse(chain.occurredAt) };
}
