import { iso } from '../../src/kernel/clock.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { shortIdOf } from '../../src/kernel/ids.js';
import { deliveryIdOf } from '../../src/webhooks/domain/delivery-id.js';
import { happened } from '../support/jar.js';
import type { Desk } from './desk.js';
import { attemptOf, CHAIN, failed } from './facts.js';

const HOUR_MS = 3_600_000;

let chains = 0;

/** Appends failed first deliveries to this endpoint with a start time in the past. */
export async function failedBefore(desk: Desk, endpointId: string, { hours, times }: { hours: number; times: number }): Promise<void> {
  const startedAt = iso(Date.now() - hours * HOUR_MS);
  for (let i = 0; i < times; i++) {
    const chainId = shortIdOf(Date.parse(startedAt), endpointId, ++chains);
    const attempt = attemptOf(1, { deliveryId: deliveryIdOf(chainId, 1), startedAt });
    const facts = { ...CHAIN, chainId, endpointId, businessId: desk.business.id, occurredAt: startedAt };
    const { data } = failed(attempt);
    const event = happened(`${chainId} failed`, 'AttemptFailed', { ...data, ...facts }, startedAt);
    await desk.service.get(EventStore).append(`chain-${chainId}`, 'none', [event]);
  }
}
