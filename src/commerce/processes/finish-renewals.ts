import { Injectable } from '@nestjs/common';
import { enqueueAfterTimeout } from '../../engine/reactors/enqueue-after-timeout.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { Renewals } from '../commands/renewals.steps.js';
import type { SubscriptionEvent } from '../domain/subscription-events.js';

type UnfinishedRenewal = Extract<
  SubscriptionEvent,
  { type: 'RenewalStarted' | 'ResumeFailed' | 'SubscriptionCancelled' }
>;

interface InterruptedRenewal {
  readonly subscriptionId: string;
  readonly eventId: string;
}

/** Finishes a charge that a crash interrupted, and closes the open invoice of a subscription that has ended. */
@Injectable()
export class FinishRenewals implements Reactor<UnfinishedRenewal>, JobHandler<InterruptedRenewal> {
  readonly name = 'finish-renewals';
  readonly types = typesOf<UnfinishedRenewal>({
    RenewalStarted: true,
    ResumeFailed: true,
    SubscriptionCancelled: true,
  });
  readonly queue = declareQueue<InterruptedRenewal>({ name: 'unfinished-renewals' });
  readonly concurrency = 4;

  constructor(
    private readonly jobs: Jobs,
    private readonly renewals: Renewals,
  ) {}

  async react(event: RecordedOf<UnfinishedRenewal>): Promise<void> {
    if (event.type !== 'RenewalStarted') return this.renewals.closeInvoices(event);
    const { subscriptionId } = event.data;
    const job = { key: `renewal:${event.id}`, data: { subscriptionId, eventId: event.id } };
    await enqueueAfterTimeout(this.jobs, this.queue, job, event);
  }

  async run({ data: { subscriptionId, eventId } }: Job<InterruptedRenewal>): Promise<void> {
    await this.renewals.finishInterrupted(subscriptionId, eventId);
  }
}
