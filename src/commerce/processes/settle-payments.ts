import { Injectable } from '@nestjs/common';
import type { Reschedule } from '../../engine/registry.js';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { resumeContext } from '../../kernel/context.js';
import { Checkout } from '../commands/checkout.steps.js';
import { Installments } from '../commands/installments.steps.js';
import { Renewals } from '../commands/renewals.steps.js';
import { chargeKeyOf } from '../domain/charge.js';
import { orderDecider } from '../domain/order.js';
import { type Payment, paymentDecider } from '../domain/payment.js';
import { PaymentGateway } from '../payment-gateway.js';
import type { TimerContext, TimerHandler } from './timers/timer-handler.js';

const CHECK_INTERVAL_MS = 60_000;

/**
 * Polls the gateway for unsettled charges until the result is known, then completes or fails the order, renewal or
 * installment. It never charges.
 */
@Injectable()
export class SettlePayments implements TimerHandler {
  readonly kind = 'settlement';
  readonly name = 'settle-payments';
  readonly queue = 'settlements';

  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly checkout: Checkout,
    private readonly renewals: Renewals,
    private readonly installments: Installments,
    private readonly clock: Clock,
  ) {}

  async run(paymentId: string, context: TimerContext): Promise<void | Reschedule> {
    const payment = await this.settle(paymentId, context);
    if (payment.status === 'unsettled')
      return { at: toIso(this.clock.now() + CHECK_INTERVAL_MS), reason: 'not settled yet' };
    if (payment.status === 'unknown') return;

    switch (payment.charge.kind) {
      case 'renewal':
        return this.renewals.finishPayment(payment, context);
      case 'installment':
        return this.installments.finishPayment(payment, context);
      case 'initial':
        return this.finishOrder(payment.charge.orderId, context);
    }
  }

  private async finishOrder(orderId: string, { now, consistency }: TimerContext): Promise<void> {
    const [placed] = await this.streams.loadHistory(orderDecider, orderId);
    await this.checkout.finish(orderId, { ...resumeContext(placed!, this.name), now, consistency });
  }

  private async settle(paymentId: string, context: TimerContext): Promise<Payment> {
    const found = await this.streams.loadState(paymentDecider, paymentId);
    if (found.status !== 'unsettled') return found;

    const { meta } = await requireEvent(this.streams, paymentDecider, paymentId, 'PaymentStarted');
    const result = await this.gateway.getStatus(chargeKeyOf(found.charge), meta.at);
    return (await this.streams.execute(paymentDecider, paymentId, { type: 'SettlePayment', result }, context)).state;
  }
}
