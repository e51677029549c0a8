import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { paymentDecider } from '../domain/payment.js';

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

  async react({ data }: RecordedEvent): Promise<void> {
    const { paymentId, fundsAt } = data as Succeeded;
    await this.jobs.enqueue([{ key: `funds:${paymentId}`, queue: this.queue, due: fundsAt, data: { paymentId } }]);
  }

  async run({ data }: Job): Promise<void> {
    const { paymentId } = data as Succeeded;
    const succeeded = (await this.streams.loadHistory(paymentDecider, paymentId)).find(
      ({ type }) => type === 'PaymentSucceeded',
    )!;
    await this.streams.execute(
      paymentDecider,
      paymentId,
      { type: 'ReleaseFunds' },
      createEventContext(succeeded, this.name),
    );
  }
}
