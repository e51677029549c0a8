import { Streams } from '../../src/engine/streams/streams.js';
import { iso } from '../../src/kernel/clock.js';
import { step, type Context } from '../../src/kernel/context.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Job } from '../../src/kernel/jobs.js';
import { chain, type Begin, type ChainFacts } from '../../src/webhooks/domain/chain.js';
import { chainIdOf } from '../../src/webhooks/domain/delivery-id.js';
import { attemptJob } from '../../src/webhooks/sending/chain-jobs.js';
import { happened } from '../support/jar.js';
import type { Desk } from './desk.js';
import { CHAIN, ENABLED } from './facts.js';

export type LeftOpen = Job & { readonly chainId: string; readonly eventId: string };

/** Plans a chain and starts its first attempt by the first run of a job. The attempt stays open. */
export async function leftOpen(desk: Desk, endpointId: string): Promise<LeftOpen> {
  const { facts, context } = await plannedAt(desk, endpointId);
  const { chainId, eventId, occurredAt } = facts;
  const job = attemptJob(0, occurredAt, { ...facts, correlationId: context.correlationId, causationId: context.commandId });
  const run = { job: job.key, attempt: 1 };
  const start = { type: 'StartAttempt', target: ENABLED, leaseMs: 60_000, run } as const;
  await desk.service.get(Streams).execute(chain, chainId, start, step(context, 'start'));
  return { ...job, id: '1', attempt: 1, failures: 0, chainId, eventId };
}

/** Plans a chain for an event that no process plans. With `start`, its first attempt starts too and stays open. */
export async function plannedAt(desk: Desk, endpointId: string, start?: Begin): Promise<{ facts: ChainFacts; context: Context }> {
  const [streams, context] = [desk.service.get(Streams), desk.context()];
  const eventId = idOf('evt', context.at, context.commandId);
  const occurredAt = iso(context.at);
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
  await desk.service.get(EventStore).append(`publicEvent-${eventId}`, 'none', [happened(eventId, 'PublicEventRecorded', event)]);

  const chainId = chainIdOf(occurredAt, eventId, endpointId);
  const facts = { ...CHAIN, chainId, eventId, occurredAt, endpointId, businessId: desk.business.id, eventType: 'offer.sent' };
  await streams.execute(chain, chainId, { type: 'PlanChain', facts, target: ENABLED, ...(start && { start }) }, step(context, 'plan'));
  return { facts, context };
}
