import { Injectable } from '@nestjs/common';
import { enqueueAfterTimeout } from '../../engine/reactors/enqueue-after-timeout.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { Renewals } from '../commands/renewals.steps.js';

/** Finishes a charge that a crash interrupted, and closes the open invoice of a subscription that has ended. */
@Injectable()
export class FinishRenewals implements Reactor, JobHandler {
  readonly name = 'finish-renewals';
  readonly types = ['RenewalStarted', 'ResumeFailed', 'SubscriptionCancelled'];
  readonly queue = 'unfinished-renewals';
  readonly concurrency = 4;

  constructor(
    private readonly jobs: Jobs,
    private readonly renewals: Renewals,
  ) {}

  async react(event: RecordedEvent): Promise<void> {
    if (event.type !== 'RenewalStarted') return this.renewals.closeInvoices(event);
    const { subscriptionId } = event.data as { readonly subscriptionId: string };
    const job = { key: `renewal:${event.id}`, queue: this.queue, data: { subscriptionId, eventId: event.id } };
    await enqueueAfterTimeout(this.jobs, job, event);
  }

  async run({ data }: Job): Promise<void> {
    const { subscriptionId, eventId } = data as { readonly subscriptionId: string; readonly eventId: string };
    await this.renewals.finishInterrupted(subscriptionId, eventId);
  }
}
