import { Streams } from '../../src/engine/streams.js';
import { iso } from '../../src/kernel/clock.js';
import { step } from '../../src/kernel/context.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Job } from '../../src/kernel/jobs.js';
import { chain } from '../../src/webhooks/domain/chain.js';
import { chainIdOf } from '../../src/webhooks/domain/delivery-id.js';
import { attemptJob } from '../../src/webhooks/sending/chain-jobs.js';
import { happened } from '../support/jar.js';
import type { Desk } from './desk.js';
import { CHAIN, ENABLED } from './facts.js';

export type LeftOpen = Job & { readonly chainId: string; readonly eventId: string };

/** A chain whose first attempt was begun by the first run of its job, and nothing more. */
export async function leftOpen(desk: Desk, endpointId: string): Promise<LeftOpen> {
  const [streams, context] = [desk.service.get(Streams), desk.context()];
  const eventId = idOf('evt', context.at, context.commandId);
  const occurredAt = iso(context.at);
  const event = { eventId, type: 'offer.sent', version: '1', occurredAt, businessId: desk.business.id, mode: 'live', data: {} } as const;
  // Recorded under a type of its own, so that nobody but this test plans it.
  await desk.service.get(EventStore).append(`publicEvent-${eventId}`, 'none', [happened(eventId, 'PublicEventTaken', event)]);

  const chainId = chainIdOf(occurredAt, eventId, endpointId);
  const facts = { ...CHAIN, chainId, eventId, occurredAt, endpointId, businessId: desk.business.id, eventType: 'offer.sent' };
  const job = attemptJob(0, occurredAt, { ...facts, correlationId: context.correlationId, causationId: context.commandId });
  await streams.execute(chain, chainId, { type: 'PlanChain', facts, target: ENABLED }, step(context, 'plan'));
  const run = { job: job.key, attempt: 1 };
  await streams.execute(chain, chainId, { type: 'StartAttempt', target: ENABLED, leaseMs: 60_000, run }, step(context, 'start'));
  return { ...job, attempt: 1, chainId, eventId };
}
