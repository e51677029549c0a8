import { Injectable } from '@nestjs/common';
import type { Again, JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import { causedBy, resumed } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { Jobs, type Job } from '../../kernel/jobs.js';
import { Checkout } from '../commands/checkout.js';
import { order } from '../domain/order.js';
import { chargeKey, payment } from '../domain/payment.js';
import { PaymentGateway } from '../payment-gateway.js';

const ASK_AGAIN_MS = 60_000;

interface Awaited {
  readonly paymentId: string;
  readonly orderId: string;
  readonly askAt: string;
}

/** Polls the gateway for unsettled charges until the result is known, then ends the order. It never charges. */
@Injectable()
export class SettlePayments implements Reactor, JobHandler {
  readonly name = 'settle-payments';
  readonly types = ['PaymentAwaited'];
  readonly queue = 'settlements';
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly gateway: PaymentGateway,
    private readonly checkout: Checkout,
    private readonly clock: Clock,
  ) {}

  async react({ data }: Recorded): Promise<void> {
    const { paymentId, orderId, askAt } = data as Awaited;
    await this.jobs.put([{ key: `settle:${paymentId}`, queue: this.queue, due: askAt, data: { paymentId, orderId } }]);
  }

  async run({ data }: Job): Promise<void | Again> {
    const { paymentId, orderId } = data as Awaited;
    if ((await this.settle(paymentId)) === 'awaited') return { again: iso(this.clock.now() + ASK_AGAIN_MS), why: 'not settled yet' };
    const [placed] = await this.streams.history(order, orderId);
    await this.checkout.finish(orderId, resumed(placed!, this.name));
  }

  private async settle(paymentId: string): Promise<string> {
    const found = await this.streams.state(payment, paymentId);
    if (found.status !== 'awaited') return found.status;

    const result = await this.gateway.status(chargeKey(found.charge));
    const awaited = (await this.streams.history(payment, paymentId)).find(({ type }) => type === 'PaymentAwaited')!;
    const { state } = await this.streams.execute(payment, paymentId, { type: 'SettlePayment', result }, causedBy(awaited, this.name));
    return state.status;
  }
}
