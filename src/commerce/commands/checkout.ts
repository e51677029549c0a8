import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact, Recorded } from '../../kernel/event.js';
import { cart } from '../domain/cart.js';
import { order, type Order, type PlacedOrder } from '../domain/order.js';
import { chargeKey, payment, type Charge, type Payment } from '../domain/payment.js';
import type { Sale } from '../domain/sale.js';
import { PaymentGateway } from '../payment-gateway.js';
import { Fulfilment } from './fulfilment.js';

/**
 * Runs the steps of a checkout, which write to the streams of several nouns. Each step is idempotent: the request and
 * `finish-checkouts` derive the same command ids from OrderPlaced. The end of the order is recorded last.
 */
@Injectable()
export class Checkout {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly fulfilment: Fulfilment,
  ) {}

  /** @param context the context of the cart's CheckOut command */
  async run(sale: Sale, context: Context): Promise<Order['status']> {
    const placing = step(context, 'order');
    await this.streams.execute(order, sale.orderId, { type: 'PlaceOrder', sale }, placing);
    return this.finish(sale.orderId, placing);
  }

  /**
   * Continues the checkout. The order stays pending while the gateway has not settled the charge.
   * @param context the context of the PlaceOrder command
   */
  async finish(orderId: string, context: Context): Promise<Order['status']> {
    const found = await this.streams.state(order, orderId);
    if (found.status !== 'pending') return found.status;

    const { placed } = found;
    const { paymentId } = placed;
    if (paymentId === null) return this.complete(placed, await this.eventOf(order, orderId, 'OrderPlaced'), context);
    const { status } = await this.pay(chargeOf(placed, paymentId, this.gateway.name), context);
    // Another run may have ended the order during the call to the gateway.
    const now = await this.streams.state(order, orderId);
    if (now.status !== 'pending') return now.status;
    if (status === 'succeeded') return this.complete(placed, await this.eventOf(payment, paymentId, 'PaymentSucceeded'), context);
    return status === 'failed' ? this.fail(placed, context) : 'pending';
  }

  /** Records the payment before the charge. A repeated run charges again, under the same key, until a result is recorded. */
  private async pay(charge: Charge, context: Context): Promise<Payment> {
    await this.streams.execute(payment, charge.paymentId, { type: 'StartPayment', charge }, step(context, 'payment'));
    const found = await this.streams.state(payment, charge.paymentId);
    if (found.status !== 'started') return found;

    const { paymentId: reference, amountCents, currency, methodToken } = charge;
    const result = await this.gateway.charge({ key: chargeKey(charge), amountCents, currency, methodToken, reference });
    await this.streams.execute(payment, charge.paymentId, { type: 'SettlePayment', result }, step(context, 'charge'));
    return this.streams.state(payment, charge.paymentId);
  }

  private async eventOf<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string, type: E['type']): Promise<Recorded> {
    return (await this.streams.history(decider, id)).find((event) => event.type === type)!;
  }

  private async complete(placed: PlacedOrder, paid: Recorded, context: Context): Promise<'completed'> {
    await this.fulfilment.of(placed, paid, context);
    await this.streams.execute(order, placed.orderId, { type: 'CompleteOrder' }, step(context, 'complete'));
    return 'completed';
  }

  private async fail({ orderId, cartId }: PlacedOrder, context: Context): Promise<'failed'> {
    await this.streams.execute(cart, cartId, { type: 'ReopenCart', orderId }, step(context, 'reopen'));
    await this.streams.execute(order, orderId, { type: 'FailOrder' }, step(context, 'fail'));
    return 'failed';
  }
}

function chargeOf(placed: PlacedOrder, paymentId: string, gateway: string): Charge {
  const { businessId, orderId, invoiceId, buyer, currency, totalCents: amountCents, methodToken } = placed;
  if (methodToken === null) throw new Error(`Order ${orderId} has an amount due and no payment method`);
  const of = { kind: 'initial', orderId, subscriptionId: null, invoiceId } as const;
  return { paymentId, businessId, ...of, buyer, amountCents, currency, gateway, methodToken };
}
