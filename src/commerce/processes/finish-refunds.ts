import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { toIso } from '../../kernel/clock.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { findRefundEvent, Refunds } from '../commands/refund.steps.js';
import { paymentDecider } from '../domain/payment.js';
import type { RefundEvent } from '../domain/refund.js';

/** A request finishes its own refund. After this time the process assumes that the request has crashed. */
const REQUEST_TIMEOUT_MS = 5_000;

type UnfinishedRefund = Extract<RefundEvent, { type: 'RefundRequested' | 'RefundFailed' }>;

/** Finishes a refund, or the return of a failed one, that a crash interrupted. No step runs twice. */
@Injectable()
export class FinishRefunds implements Reactor<UnfinishedRefund>, JobHandler {
  readonly name = 'finish-refunds';
  readonly types = ['RefundRequested', 'RefundFailed'] as const;
  readonly queue = 'refunds';
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly refunds: Refunds,
  ) {}

  async react({ type, data: { paymentId, refundId }, meta }: RecordedOf<UnfinishedRefund>): Promise<void> {
    const due = toIso(Date.parse(meta.at) + REQUEST_TIMEOUT_MS);
    await this.jobs.enqueue([{ key: `${type}:${refundId}`, queue: this.queue, due, data: { paymentId, refundId } }]);
  }

  async run({ data }: Job): Promise<void> {
    const { paymentId, refundId } = data as UnfinishedRefund['data'];
    const history = await this.streams.loadHistory(paymentDecider, paymentId);
    const requested = findRefundEvent(history, refundId, 'RefundRequested');
    await this.refunds.finish(paymentId, refundId, resumeContext(requested, this.name));
  }
}
