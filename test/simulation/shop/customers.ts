import { CreateCart, CreateCartHandler } from '../../../src/commerce/commands/cart.commands.js';
import { CheckOutCart, CheckOutCartHandler } from '../../../src/commerce/commands/checkout.commands.js';
import { AddLine, AddLineHandler } from '../../../src/commerce/commands/line.commands.js';
import {
  CreateProduct,
  CreateProductHandler,
  ReviewProduct,
  ReviewProductHandler,
} from '../../../src/commerce/commands/product.commands.js';
import { RefundPayment, RefundPaymentHandler } from '../../../src/commerce/commands/refund.commands.js';
import type { PlanTerms } from '../../../src/commerce/domain/payment-plan.js';
import { Visitors } from './visitors.js';

interface Product {
  readonly id: string;
  readonly planIds: readonly string[];
}

/** Clients of a shop that sells one product. */
export abstract class Customers extends Visitors {
  /** Creates and approves the product; null without a response. */
  protected async openShop(name: string, plans: readonly PlanTerms[]): Promise<Product | null> {
    const content = { name: 'A course', description: null, metadata: {}, externalReference: null };
    const created = await this.request(`${name} create product`, (process, context) =>
      process.get(CreateProductHandler).execute(new CreateProduct(context, { content, plans })),
    );
    if (created === null) return null;
    const { id, plans: sold } = created.value;
    const approved = await this.request(`${name} approve product`, (process, context) =>
      process.get(ReviewProductHandler).execute(new ReviewProduct(context, { id, review: { type: 'ApproveProduct' } })),
    );
    return approved && { id, planIds: sold.map((plan) => plan.id) };
  }

  protected async buy(name: string, productId: string, planId: string, methodToken: string): Promise<void> {
    const buyer = { email: 'ada@example.com', name: null };
    const created = await this.request(`${name} cart`, (process, context) =>
      process.get(CreateCartHandler).execute(new CreateCart(context, { businessId: null, fields: {} })),
    );
    if (created === null) return;
    const cartId = created.value.document.id;
    const line = { cartId, productId, planId, quantity: 1 };
    await this.request(`${name} line`, (process, context) =>
      process.get(AddLineHandler).execute(new AddLine(context, line)),
    );
    await this.requestOrGiveUp(`${name} checkout with ${methodToken}`, (process, context) =>
      process.get(CheckOutCartHandler).execute(new CheckOutCart(context, { cartId, buyer, methodToken })),
    );
  }

  /** Requests a part, all, or more than all of a payment of `priceCents`. */
  protected async refund(name: string, priceCents: number): Promise<void> {
    const { log } = this.world.stores.events;
    const paid = log.filter(({ type, meta }) => type === 'PaymentSucceeded' && meta.mode === this.mode);
    if (paid.length === 0) return;
    const { paymentId } = this.random.pick(paid).data as { readonly paymentId: string };
    const amountCents = this.random.pick([1, priceCents / 2, priceCents, priceCents + 1, null]);
    const details = { paymentId, amountCents, currency: amountCents === null ? null : 'EUR', reason: null, note: null };
    await this.requestOrGiveUp(`${name} of ${amountCents}`, (process, context) =>
      process.get(RefundPaymentHandler).execute(new RefundPayment(context, details)),
    );
  }
}
