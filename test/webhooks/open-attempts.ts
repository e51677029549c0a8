import { Streams } from '../../src/engine/streams/streams.js';
import { toIso } from '../../src/kernel/clock.js';
import { type Context, createChildContext } from '../../src/kernel/context.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Job } from '../../src/kernel/jobs.js';
import { toAttemptJob } from '../../src/webhooks/delivery/delivery-jobs.js';
import { deliveryChainDecider } from '../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { AttemptLease, DeliveryChainFacts } from '../../src/webhooks/domain/delivery-chain/facts.js';
import { deliveryChainIdOf } from '../../src/webhooks/domain/delivery-id.js';
import { createEvent } from '../support/jar.js';
import { CHAIN, ENABLED } from './facts.js';
import type { WebhookFixture } from './webhook-fixture.js';

export type OpenAttempt = Job & { readonly chainId: string; readonly eventId: string };

/** Plans a chain and starts its first attempt by the first run of a job. The attempt stays open. */
export async function leaveAttemptOpen(fixture: WebhookFixture, endpointId: string): Promise<OpenAttempt> {
  const { facts, context } = await planChain(fixture, endpointId);
  const { chainId, eventId, occurredAt } = facts;
  const job = toAttemptJob(0, occurredAt, {
    ...facts,
    correlationId: context.correlationId,
    causationId: context.commandId,
  });
  const owner = { job: job.key, attempt: 1 };
  const start = { type: 'StartAttempt', endpointState: ENABLED, leaseMs: 60_000, owner } as const;
  await fixture.service
    .get(Streams)
    .execute(deliveryChainDecider, chainId, start, createChildContext(context, 'start'));
  return { ...job, id: '1', attempt: 1, failures: 0, chainId, eventId };
}

/** Plans a chain for an event that no process plans. With `start`, its first attempt starts too and stays open. */
export async function planChain(
  fixture: WebhookFixture,
  endpointId: string,
  start?: AttemptLease,
): Promise<{ facts: DeliveryChainFacts; context: Context }> {
  const [streams, context] = [fixture.service.get(Streams), fixture.createContext()];
  const eventId = idOf('evt', context.at, context.commandId);
  const occurredAt = toIso(context.at);
  const event = {
    eventId,
    type: 'offer.sent',
    version: '1',
    occurredAt,
    businessId: 'biz_without_endpoints',
    mode: 'live',
    data: {},
  } as const;
  // The event belongs to a business without endpoints, so no process plans a chain for it.
  await fixture.service
    .get(EventStore)
    .append(`publicEvent-${eventId}`, 'none', [createEvent(eventId, 'PublicEventRecorded', event)]);

  const chainId = deliveryChainIdOf(occurredAt, eventId, endpointId);
  const facts = {
    ...CHAIN,
    chainId,
    eventId,
    occurredAt,
    endpointId,
    businessId: fixture.business.id,
    eventType: 'offer.sent',
  };
  await streams.execute(
    deliveryChainDecider,
    chainId,
    { type: 'PlanDeliveryChain', facts, endpointState: ENABLED, ...(start && { start }) },
    createChildContext(context, 'plan'),
  );
  return { facts, context };
}
