import { Injectable } from '@nestjs/common';
import { enqueueAfterTimeout } from '../../engine/reactors/enqueue-after-timeout.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { findRefundEvent, Refunds } from '../commands/refunds.steps.js';
import { paymentDecider } from '../domain/payment.js';
import type { RefundEvent } from '../domain/refund.js';

type UnfinishedRefund = Extract<RefundEvent, { type: 'RefundRequested' | 'RefundFailed' }>;

type RefundId = Pick<UnfinishedRefund['data'], 'paymentId' | 'refundId'>;

/** Finishes a refund, or the return of a failed one, that a crash interrupted. No step runs twice. */
@Injectable()
export class FinishRefunds implements Reactor<UnfinishedRefund>, JobHandler<RefundId> {
  readonly name = 'finish-refunds';
  readonly types = typesOf<UnfinishedRefund>({ RefundRequested: true, RefundFailed: true });
  readonly queue = declareQueue<RefundId>({ name: 'refunds' });
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly refunds: Refunds,
  ) {}

  async react(event: RecordedOf<UnfinishedRefund>): Promise<void> {
    const { paymentId, refundId } = event.data;
    const job = { key: `${event.type}:${refundId}`, data: { paymentId, refundId } };
    await enqueueAfterTimeout(this.jobs, this.queue, job, event);
  }

  async run({ data: { paymentId, refundId } }: Job<RefundId>): Promise<void> {
    const history = await this.streams.loadHistory(paymentDecider, paymentId);
    const requested = findRefundEvent(history, refundId, 'RefundRequested');
    await this.refunds.finish(paymentId, refundId, resumeContext(requested, this.name));
  }
}
