import { Injectable } from '@nestjs/common';
import { enqueueAfterTimeout } from '../../engine/reactors/enqueue-after-timeout.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { Disputes } from '../commands/disputes.steps.js';
import type { DisputeEvent } from '../domain/dispute.js';
import { paymentDecider } from '../domain/payment.js';

interface UnbookedEvent {
  readonly paymentId: string;
  readonly eventId: string;
}

/** Moves the money of a dispute in the seller's balance after a crash. No step runs twice. */
@Injectable()
export class FinishDisputes implements Reactor<DisputeEvent>, JobHandler<UnbookedEvent> {
  readonly name = 'finish-disputes';
  readonly types = typesOf<DisputeEvent>({ PaymentDisputed: true, DisputeFeeCharged: true, DisputeClosed: true });
  readonly queue = declareQueue<UnbookedEvent>({ name: 'disputes' });
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly disputes: Disputes,
  ) {}

  async react(event: RecordedOf<DisputeEvent>): Promise<void> {
    const { id: eventId, data } = event;
    const job = { key: `dispute:${eventId}`, data: { paymentId: data.paymentId, eventId } };
    await enqueueAfterTimeout(this.jobs, this.queue, job, event);
  }

  async run({ data: { paymentId, eventId } }: Job<UnbookedEvent>): Promise<void> {
    const history = await this.streams.loadHistory(paymentDecider, paymentId);
    const event = history.find(({ id }) => id === eventId) as RecordedOf<DisputeEvent>;
    await this.disputes.book(event, resumeContext(event, this.name));
  }
}
