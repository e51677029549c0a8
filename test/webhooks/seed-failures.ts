import { toIso } from '../../src/kernel/clock.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { shortIdOf } from '../../src/kernel/ids.js';
import { deliveryIdOf } from '../../src/webhooks/domain/delivery-id.js';
import { createEvent } from '../support/jar.js';
import { CHAIN, createAttempt, failed } from './facts.js';
import type { WebhookFixture } from './webhook-fixture.js';

const HOUR_MS = 3_600_000;

let chains = 0;

/** Appends failed first deliveries to this endpoint with a start time in the past. */
export async function seedFailures(
  fixture: WebhookFixture,
  endpointId: string,
  { hours, times }: { hours: number; times: number },
): Promise<void> {
  const startedAt = toIso(Date.now() - hours * HOUR_MS);
  for (let i = 0; i < times; i++) {
    const chainId = shortIdOf(Date.parse(startedAt), endpointId, ++chains);
    const attempt = createAttempt(1, { deliveryId: deliveryIdOf(chainId, 1), startedAt });
    const facts = { ...CHAIN, chainId, endpointId, businessId: fixture.business.id, occurredAt: startedAt };
    const { data } = failed(attempt);
    const event = createEvent(`${chainId} failed`, 'AttemptFailed', { ...data, ...facts }, startedAt);
    await fixture.service.get(EventStore).append(`deliveryChain-${chainId}`, 'none', [event]);
  }
}
