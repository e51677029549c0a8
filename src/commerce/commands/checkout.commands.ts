import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import type { Recorded } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { nullable, resource, uri, type DocumentOf } from '../../kernel/schema.js';
import { cart } from '../domain/cart.js';
import { order } from '../domain/order.js';
import { payment } from '../domain/payment.js';
import type { Sale } from '../domain/sale.js';
import { thankYouUrl } from '../domain/thank-you-url.js';
import { orderFields, orders, type OrderDocument } from '../projections/orders.js';
import { Buyers, type BuyerFields } from './buyers.js';
import { forBusinessOf, usable } from '../domain/cart-access.js';
import { Checkout } from './checkout.js';
import { Products } from './products.js';

/** The order, and the URL to which the buyer is redirected. */
export const checkedOutSchema = resource('CheckedOutOrder', { ...orderFields, redirect_url: nullable(uri) });

export type CheckedOut = OrderDocument & DocumentOf<typeof checkedOutSchema>;

export class CheckOutCart extends Command<CheckedOut> {
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

  async execute({ context: asked, cartId, buyer: fields, methodToken }: CheckOutCart): Promise<CheckedOut> {
    const before = usable(await this.streams.state(cart, cartId), asked);
    const context = forBusinessOf(before, asked);
    const orderId = idOf('ord', context.at, context.commandId);
    const products = await Promise.all(before.lines.map(({ productId }) => this.products.known(productId)));
    const buyer = fields && (await this.buyers.seal(before.owner.businessId, fields));

    const command = { type: 'CheckOut', orderId, buyer, methodToken, products } as const;
    const { history } = await this.streams.execute(cart, cartId, command, context);
    const sale = saleIn(await history(), orderId);
    const status = await this.checkout.run(sale, context).catch(leftToTheProcess);
    if (status === 'failed') throw await this.paymentFailed(orderId);

    return { ...render(orders, orderId, await this.streams.history(order, orderId)), redirect_url: redirectOf(sale) };
  }

  private async paymentFailed(orderId: string): Promise<Rejection> {
    const failed = await this.streams.state(order, orderId);
    const paymentId = failed.status === 'unknown' ? null : failed.placed.paymentId;
    const paid = paymentId === null ? null : await this.streams.state(payment, paymentId);
    const { code, detail } = paid?.status === 'failed' ? paid.failure : { code: 'payment_failed', detail: 'The payment failed.' };
    return Rejection.of('payment_failed', detail, [{ code, detail, param: 'payment_method.token' }]);
  }
}

/** Returns `pending` after contention on the shared streams of a business: `finish-checkouts` continues. */
function leftToTheProcess(error: unknown): 'pending' {
  if (error instanceof Rejection && error.code === 'concurrent_update') return 'pending';
  throw error;
}

/** Returns the sale that the checkout of this order recorded. */
function saleIn(history: readonly Recorded[], orderId: string): Sale {
  return checkoutIn(history, orderId).data as Sale;
}

export function checkoutIn(history: readonly Recorded[], orderId: string): Recorded {
  return history.find(({ type, data }) => type === 'CartCheckedOut' && (data as Sale).orderId === orderId)!;
}

function redirectOf({ redirectUrl, orderId, metadata }: Sale): string | null {
  return redirectUrl === null ? null : thankYouUrl(redirectUrl, orderId, metadata);
}
