import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { type DocumentOf, nullable, resource, uri } from '../../kernel/schema.js';
import { cartDecider } from '../domain/cart.js';
import { asCartOwner, requireCartAccess } from '../domain/cart-access.js';
import { orderDecider } from '../domain/order.js';
import { paymentDecider } from '../domain/payment.js';
import type { Sale } from '../domain/sale.js';
import { buildThankYouUrl } from '../domain/thank-you-url.js';
import { type OrderDocument, orderFields, orders } from '../projections/orders.js';
import { type BuyerFields, Buyers } from './buyers.steps.js';
import { Checkout } from './checkout.steps.js';
import { Products } from './products.steps.js';

/** The order, and the URL to which the buyer is redirected. */
export const checkedOutSchema = resource('CheckedOutOrder', { ...orderFields, redirect_url: nullable(uri) });

export type CheckedOutOrder = OrderDocument & DocumentOf<typeof checkedOutSchema>;

export class CheckOutCart extends Command<CheckedOutOrder> {
  constructor(
    readonly context: CallerContext,
    readonly cartId: string,
    readonly buyer: BuyerFields | null,
    readonly methodToken: string | null,
  ) {
    super();
  }
}

@CommandHandler(CheckOutCart)
export class CheckOutCartHandler implements ICommandHandler<CheckOutCart> {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
    private readonly buyers: Buyers,
    private readonly checkout: Checkout,
  ) {}

  async execute({
    context: callerContext,
    cartId,
    buyer: fields,
    methodToken,
  }: CheckOutCart): Promise<CheckedOutOrder> {
    const before = requireCartAccess(await this.streams.loadState(cartDecider, cartId), callerContext);
    const context = asCartOwner(before, callerContext);
    const orderId = idOf('ord', context.at, context.commandId);
    const products = await Promise.all(before.lines.map(({ productId }) => this.products.requireProduct(productId)));
    const buyer = fields && (await this.buyers.encrypt(before.owner.businessId, fields));

    const command = { type: 'CheckOut', orderId, buyer, methodToken, products } as const;
    const { loadHistory: history } = await this.streams.execute(cartDecider, cartId, command, context);
    const sale = findSale(await history(), orderId);
    const status = await this.checkout.run(sale, context).catch(treatContentionAsPending);
    if (status === 'failed') throw await this.createPaymentRejection(orderId);

    return {
      ...render(orders, orderId, await this.streams.loadHistory(orderDecider, orderId)),
      redirect_url: buildRedirectUrl(sale),
    };
  }

  private async createPaymentRejection(orderId: string): Promise<Rejection> {
    const failed = await this.streams.loadState(orderDecider, orderId);
    const paymentId = failed.status === 'unknown' ? null : failed.placed.paymentId;
    const paid = paymentId === null ? null : await this.streams.loadState(paymentDecider, paymentId);
    const { code, detail } =
      paid?.status === 'failed' ? paid.failure : { code: 'payment_failed', detail: 'The payment failed.' };
    return Rejection.of('payment_failed', detail, [{ code, detail, param: 'payment_method.token' }]);
  }
}

/** Returns `pending` after contention on the shared streams of a business: `finish-checkouts` continues. */
function treatContentionAsPending(error: unknown): 'pending' {
  if (error instanceof Rejection && error.code === 'concurrent_update') return 'pending';
  throw error;
}

/** Returns the sale that the checkout of this order recorded. */
function findSale(history: readonly RecordedEvent[], orderId: string): Sale {
  return findCheckout(history, orderId).data as Sale;
}

export function findCheckout(history: readonly RecordedEvent[], orderId: string): RecordedEvent {
  return history.find(({ type, data }) => type === 'CartCheckedOut' && (data as Sale).orderId === orderId)!;
}

function buildRedirectUrl({ redirectUrl, orderId, metadata }: Sale): string | null {
  return redirectUrl === null ? null : buildThankYouUrl(redirectUrl, orderId, metadata);
}
