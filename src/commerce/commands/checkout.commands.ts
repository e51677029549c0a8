import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { mergeHistories } from '../../engine/streams/merge-histories.js';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { describe, type DocumentOf, nullable, resource, uri } from '../../kernel/schema.js';
import { type BuyerFields, Buyers } from '../buyers.js';
import { CartBuyers } from '../cart-buyers.js';
import { cartDecider, createNotOpenRejection } from '../domain/cart.js';
import { asCartOwner } from '../domain/cart-access.js';
import type { KnownCart } from '../domain/cart-state.js';
import { orderDecider } from '../domain/order.js';
import { paymentDecider } from '../domain/payment.js';
import type { Sale } from '../domain/sale.js';
import { buildThankYouUrl } from '../domain/thank-you-url.js';
import { FailureCounts } from '../failure-counts.js';
import { type OrderDocument, orderFields, orders } from '../projections/orders.js';
import { Amounts } from './amounts.steps.js';
import { Carts } from './carts.steps.js';
import { Checkout, findCheckout } from './checkout.steps.js';
import { Discounts } from './discounts.steps.js';
import { ForgottenBuyers } from './forgotten-buyers.steps.js';
import { Offers } from './offers.steps.js';
import { Products } from './products.steps.js';

/** The order, and the URL to which the buyer is redirected. */
export const checkedOutSchema = resource('CheckedOutOrder', {
  ...orderFields,
  redirect_url: describe(
    nullable(uri),
    'The page to which the buyer is sent: that of the cart, with the id of the order and the metadata as parameters; null for none.',
  ),
});

export type CheckedOutOrder = OrderDocument & DocumentOf<typeof checkedOutSchema>;

interface CheckoutDetails {
  readonly cartId: string;
  readonly buyer: BuyerFields | null;
  readonly methodToken: string | null;
}

export class CheckOutCart extends ContextCommand<CheckoutDetails, CheckedOutOrder, CallerContext> {}

@CommandHandler(CheckOutCart)
export class CheckOutCartHandler implements ICommandHandler<CheckOutCart> {
  constructor(
    private readonly streams: Streams,
    private readonly carts: Carts,
    private readonly products: Products,
    private readonly discounts: Discounts,
    private readonly offers: Offers,
    private readonly buyers: Buyers,
    private readonly forgotten: ForgottenBuyers,
    private readonly checkout: Checkout,
    private readonly cartBuyers: CartBuyers,
    private readonly amounts: Amounts,
    private readonly failures: FailureCounts,
  ) {}

  async execute({ context, params }: CheckOutCart): Promise<CheckedOutOrder> {
    const cart = await this.carts.require(params.cartId, context);
    // The cart counts its own declined payments, by the time of its business.
    const sale = { businessId: cart.owner.businessId, cartId: null };
    return this.failures.count('declined_payment', 'payment_failed', sale, context, () =>
      this.checkOut(cart, params, context),
    );
  }

  private async checkOut(
    before: KnownCart,
    { cartId, buyer: fields, methodToken }: CheckoutDetails,
    callerContext: CallerContext,
  ): Promise<CheckedOutOrder> {
    const context = asCartOwner(before, callerContext);
    const orderId = idOf('ord', context.at, context.commandId);
    const collectFacts = async () => {
      const products = await Promise.all(before.lines.map(({ productId }) => this.products.requireProduct(productId)));
      const buyer = fields && (await this.buyers.encrypt(before.owner, fields));
      const discount = await this.discounts.findCurrent(before.content.discount ?? null);
      const offer = await this.offers.findCurrent(before.content.offer);
      await this.forgotten.assertNone(before, offer);
      if (offer) this.cartBuyers.assertOfferIsFor(offer.content.buyer, callerContext, before.owner.businessId);
      const facts = { products, discount, offer, getAmountStep: this.amounts.getSteps(context.mode) };
      return { type: 'CheckOut', orderId, buyer, methodToken, ...facts } as const;
    };
    const { loadHistory } = await this.streams.execute(cartDecider, cartId, collectFacts, context);
    const sale = findCheckout(await loadHistory(), orderId).data;
    const status = await this.checkout.run(sale, context).catch(treatContentionAsPending);
    if (status === 'refused') throw createReservedRejection();
    if (status === 'forgotten') throw createNotOpenRejection();
    if (status === 'failed') throw await this.createPaymentRejection(orderId);

    const order = await this.cartBuyers.maskFor(callerContext, await this.renderOrder(orderId));
    return { ...order, redirect_url: buildRedirectUrl(sale) };
  }

  /** A repeated request may follow a refund, whose events are in the stream of the payment. */
  private async renderOrder(orderId: string): Promise<OrderDocument> {
    const history = await this.streams.loadHistory(orderDecider, orderId);
    const paymentId = await this.findPaymentId(orderId);
    const paid = paymentId === null ? [] : await this.streams.loadHistory(paymentDecider, paymentId);
    return render(orders, orderId, mergeHistories(history, paid));
  }

  private async findPaymentId(orderId: string): Promise<string | null> {
    const order = await this.streams.loadState(orderDecider, orderId);
    return order.status === 'unknown' ? null : order.placed.paymentId;
  }

  private async createPaymentRejection(orderId: string): Promise<Rejection> {
    const paymentId = await this.findPaymentId(orderId);
    const paid = paymentId === null ? null : await this.streams.loadState(paymentDecider, paymentId);
    const { code, detail } =
      paid?.status === 'failed' ? paid.failure : { code: 'payment_failed', detail: 'The payment failed.' };
    return Rejection.of('payment_failed', detail, [{ code, detail, param: 'payment_method.token' }]);
  }
}

function createReservedRejection(): Rejection {
  return new Rejection('concurrent_update', 'Another checkout of the offer was faster. Try again.');
}

/** Returns `pending` after contention on the shared streams of a business: `finish-checkouts` continues. */
function treatContentionAsPending(error: unknown): 'pending' {
  if (error instanceof Rejection && error.code === 'concurrent_update') return 'pending';
  throw error;
}

function buildRedirectUrl({ redirectUrl, orderId, metadata }: Sale): string | null {
  return redirectUrl === null ? null : buildThankYouUrl(redirectUrl, orderId, metadata);
}
