import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { paymentDecider, type PaymentEvent } from '../domain/payment.js';

type PaymentSucceeded = Extract<PaymentEvent, { type: 'PaymentSucceeded' }>;

/** Releases the funds of a sale after a delay. */
@Injectable()
export class ReleaseFunds implements Reactor<PaymentSucceeded>, JobHandler {
  readonly name = 'release-funds';
  readonly types = ['PaymentSucceeded'] as const;
  readonly queue = 'funds';
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
  ) {}

  async react({ data: { paymentId, fundsAt } }: RecordedOf<PaymentSucceeded>): Promise<void> {
    await this.jobs.enqueue([{ key: `funds:${paymentId}`, queue: this.queue, due: fundsAt, data: { paymentId } }]);
  }

  async run({ data }: Job): Promise<void> {
    const { paymentId } = data as { readonly paymentId: string };
    const succeeded = await requireEvent(this.streams, paymentDecider, paymentId, 'PaymentSucceeded');
    const context = createEventContext(succeeded, this.name);
    await this.streams.execute(paymentDecider, paymentId, { type: 'ReleaseFunds' }, context);
  }
}
