import { Injectable } from '@nestjs/common';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, resumeContext } from '../../kernel/context.js';
import { chargeKeyOf } from '../domain/charge.js';
import { orderDecider } from '../domain/order.js';
import { type Payment, paymentDecider } from '../domain/payment.js';
import { PaymentGateway } from '../payment-gateway.js';
import { Checkout } from './checkout.steps.js';
import { Installments } from './installments.steps.js';
import { Renewals } from './renewals.steps.js';

const PROCESS = 'settlements';

/** Settles charges whose result was not known, and finishes the order, renewal or installment of each. It never charges. */
@Injectable()
export class Settlements {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly checkout: Checkout,
    private readonly renewals: Renewals,
    private readonly installments: Installments,
  ) {}

  /** Asks the gateway for the result. Returns the payment, which stays unsettled while the result is not known. */
  check(paymentId: string, context: Context): Promise<Payment> {
    return this.settle(paymentId, 'getStatus', context);
  }

  /** Stops the charge where the gateway can. Returns the payment, which may have succeeded before. */
  withdraw(paymentId: string, context: Context): Promise<Payment> {
    return this.settle(paymentId, 'cancel', context);
  }

  private async settle(paymentId: string, request: 'getStatus' | 'cancel', context: Context): Promise<Payment> {
    const payment = await this.record(paymentId, request, context);
    if (payment.status === 'succeeded' || payment.status === 'failed') await this.finish(payment, context);
    return payment;
  }

  private async record(paymentId: string, request: 'getStatus' | 'cancel', context: Context): Promise<Payment> {
    const found = await this.streams.loadState(paymentDecider, paymentId);
    if (found.status !== 'unsettled') return found;

    const { meta } = await requireEvent(this.streams, paymentDecider, paymentId, 'PaymentStarted');
    const result = await this.gateway[request](chargeKeyOf(found.charge), meta.at);
    return (await this.streams.execute(paymentDecider, paymentId, { type: 'SettlePayment', result }, context)).state;
  }

  private async finish(payment: Extract<Payment, { status: 'succeeded' | 'failed' }>, context: Context): Promise<void> {
    switch (payment.charge.kind) {
      case 'renewal':
        return this.renewals.finishPayment(payment, context);
      case 'installment':
        return this.installments.finishPayment(payment, context);
      case 'initial':
        return this.finishOrder(payment.charge.orderId, context);
    }
  }

  private async finishOrder(orderId: string, { now, consistency }: Context): Promise<void> {
    const [placed] = await this.streams.loadHistory(orderDecider, orderId);
    const context = { ...resumeContext(placed!, PROCESS), ...(now !== undefined && { now }), consistency };
    await this.checkout.finish(orderId, context);
  }
}
