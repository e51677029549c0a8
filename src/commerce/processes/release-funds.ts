import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { causedBy } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { Jobs, type Job } from '../../kernel/jobs.js';
import { payment } from '../domain/payment.js';

interface Succeeded {
  readonly paymentId: string;
  readonly fundsAt: string;
}

/** Releases the funds of a sale after a delay. */
@Injectable()
export class ReleaseFunds implements Reactor, JobHandler {
  readonly name = 'release-funds';
  readonly types = ['PaymentSucceeded'];
  readonly queue = 'funds';
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
  ) {}

  async react({ data }: Recorded): Promise<void> {
    const { paymentId, fundsAt } = data as Succeeded;
    await this.jobs.put([{ key: `funds:${paymentId}`, queue: this.queue, due: fundsAt, data: { paymentId } }]);
  }

  async run({ data }: Job): Promise<void> {
    const { paymentId } = data as Succeeded;
    const succeeded = (await this.streams.history(payment, paymentId)).find(({ type }) => type === 'PaymentSucceeded')!;
    await this.streams.execute(payment, paymentId, { type: 'ReleaseFunds' }, causedBy(succeeded, this.name));
  }
}
