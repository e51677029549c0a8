import { Injectable } from '@nestjs/common';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import { cartDecider } from '../domain/cart.js';
import type { CartCheckedOut } from '../domain/cart-state.js';
import type { Charge } from '../domain/charge.js';
import { type Order, orderDecider, type PlacedOrder } from '../domain/order.js';
import { paymentDecider } from '../domain/payment.js';
import type { Sale } from '../domain/sale.js';
import { Billing, type InvoiceCause } from './billing.steps.js';
import { ForgottenBuyers } from './forgotten-buyers.steps.js';
import { Fulfilment } from './fulfilment.steps.js';
import { Offers } from './offers.steps.js';

/**
 * Runs the steps of a checkout, which write to the streams of several nouns. Each step is idempotent: the request and
 * `finish-checkouts` derive the same command ids from OrderPlaced. The end of the order is recorded last.
 */
@Injectable()
export class Checkout {
  constructor(
    private readonly streams: Streams,
    private readonly billing: Billing,
    private readonly fulfilment: Fulfilment,
    private readonly offers: Offers,
    private readonly forgotten: ForgottenBuyers,
  ) {}

  /**
   * Returns `refused` when another order has the offer of the cart. The refusal is recorded, so it stays. Returns
   * `forgotten`, and charges nothing, when the buyer was forgotten since the cart has named the buyer.
   * @param context the context of the cart's CheckOut command
   */
  async run(sale: Sale, context: Context): Promise<Order['status'] | 'refused' | 'forgotten'> {
    if ((await this.forgotten.isForgotten(sale)) && !(await this.isPlaced(sale))) return this.abandon(sale, context);
    if (!(await this.offers.reserve(sale, context))) return this.refuse(sale, context);
    const orderContext = createChildContext(context, 'order');
    const command = { type: 'PlaceOrder', sale, livemode: this.billing.movesMoney(context) } as const;
    await this.streams.execute(orderDecider, sale.orderId, command, orderContext);
    return this.finish(sale.orderId, orderContext);
  }

  private async isPlaced({ orderId }: Sale): Promise<boolean> {
    return (await this.streams.loadState(orderDecider, orderId)).status !== 'unknown';
  }

  private async abandon(sale: Sale, context: Context): Promise<'forgotten'> {
    await this.offers.release(sale, context);
    await this.refuse(sale, context);
    const expire = { type: 'ExpireCart', buyerId: sale.buyer.id } as const;
    await this.streams.execute(cartDecider, sale.cartId, expire, createChildContext(context, 'expire'));
    return 'forgotten';
  }

  /**
   * Continues the checkout. The order stays pending while the gateway has not settled the charge.
   * @param context the context of the PlaceOrder command
   */
  async finish(orderId: string, context: Context): Promise<Order['status']> {
    const found = await this.streams.loadState(orderDecider, orderId);
    if (found.status !== 'pending') return found.status;

    const { placed } = found;
    const { paymentId } = placed;
    if (paymentId === null)
      return this.complete(placed, await requireEvent(this.streams, orderDecider, orderId, 'OrderPlaced'), context);
    const { status } = await this.billing.pay(toCharge(placed, paymentId), context);
    // Another run may have ended the order during the call to the gateway.
    const current = await this.streams.loadState(orderDecider, orderId);
    if (current.status !== 'pending') return current.status;
    if (status === 'succeeded')
      return this.complete(
        placed,
        await requireEvent(this.streams, paymentDecider, paymentId, 'PaymentSucceeded'),
        context,
      );
    return status === 'failed' ? this.fail(placed, context) : 'pending';
  }

  private async complete(placed: PlacedOrder, paid: InvoiceCause, context: Context): Promise<'completed'> {
    await this.fulfilment.fulfil(placed, paid, context);
    await this.forgotten.endStarted(placed, context);
    await this.offers.accept(placed, context);
    const completion = createChildContext(context, 'complete');
    await this.streams.execute(
      orderDecider,
      placed.orderId,
      { type: 'CompleteOrder', paidAt: paid.data.at },
      completion,
    );
    return 'completed';
  }

  private async refuse({ orderId, cartId }: Sale, context: Context): Promise<'refused'> {
    const reopen = { type: 'ReopenCart', orderId } as const;
    await this.streams.execute(cartDecider, cartId, reopen, createChildContext(context, 'reopen'));
    return 'refused';
  }

  private async fail(placed: PlacedOrder, context: Context): Promise<'failed'> {
    const { orderId, cartId } = placed;
    await this.offers.release(placed, context);
    const reopen = { type: 'ReopenCart', orderId } as const;
    await this.streams.execute(cartDecider, cartId, reopen, createChildContext(context, 'reopen'));
    await this.streams.execute(orderDecider, orderId, { type: 'FailOrder' }, createChildContext(context, 'fail'));
    return 'failed';
  }
}

export function findCheckout(history: readonly RecordedEvent[], orderId: string): RecordedOf<CartCheckedOut> {
  const isCheckout = (event: RecordedEvent): event is RecordedOf<CartCheckedOut> => event.type === 'CartCheckedOut';
  return history.filter(isCheckout).find(({ data }) => data.orderId === orderId)!;
}

function toCharge(placed: PlacedOrder, paymentId: string): Omit<Charge, 'gateway'> {
  const { businessId, orderId, invoiceId, buyer, currency, totalCents: amountCents, methodToken } = placed;
  if (methodToken === null) throw new Error(`Order ${orderId} has an amount due and no payment method`);
  const references = { kind: 'initial', orderId, subscriptionId: null, invoiceId } as const;
  return { paymentId, businessId, ...references, buyer, amountCents, currency, methodToken };
}
