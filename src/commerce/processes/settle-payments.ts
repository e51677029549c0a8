import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor, Reschedule } from '../../engine/registry.js';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { createEventContext, resumeContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { Checkout } from '../commands/checkout.steps.js';
import { orderDecider } from '../domain/order.js';
import { chargeKeyOf, paymentDecider, type PaymentEvent } from '../domain/payment.js';
import { PaymentGateway } from '../payment-gateway.js';

const CHECK_INTERVAL_MS = 60_000;

type PaymentUnsettled = Extract<PaymentEvent, { type: 'PaymentUnsettled' }>;

/** Polls the gateway for unsettled charges until the result is known, then ends the order. It never charges. */
@Injectable()
export class SettlePayments implements Reactor<PaymentUnsettled>, JobHandler {
  readonly name = 'settle-payments';
  readonly types = ['PaymentUnsettled'] as const;
  readonly queue = 'settlements';
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly gateway: PaymentGateway,
    private readonly checkout: Checkout,
    private readonly clock: Clock,
  ) {}

  async react({ data: { paymentId, orderId, checkAt } }: RecordedOf<PaymentUnsettled>): Promise<void> {
    await this.jobs.enqueue([
      { key: `settle:${paymentId}`, queue: this.queue, due: checkAt, data: { paymentId, orderId } },
    ]);
  }

  async run({ data }: Job): Promise<void | Reschedule> {
    const { paymentId, orderId } = data as Pick<PaymentUnsettled['data'], 'paymentId' | 'orderId'>;
    if ((await this.settle(paymentId)) === 'unsettled')
      return { at: toIso(this.clock.now() + CHECK_INTERVAL_MS), reason: 'not settled yet' };
    const [placed] = await this.streams.loadHistory(orderDecider, orderId);
    await this.checkout.finish(orderId, resumeContext(placed!, this.name));
  }

  private async settle(paymentId: string): Promise<string> {
    const found = await this.streams.loadState(paymentDecider, paymentId);
    if (found.status !== 'unsettled') return found.status;

    const result = await this.gateway.getStatus(chargeKeyOf(found.charge));
    const unsettled = await requireEvent(this.streams, paymentDecider, paymentId, 'PaymentUnsettled');
    const context = createEventContext(unsettled, this.name);
    const { state } = await this.streams.execute(paymentDecider, paymentId, { type: 'SettlePayment', result }, context);
    return state.status;
  }
}
