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

const PRICE_CENTS = 10_000;
const TOKENS = ['tok_ok', 'tok_ok', 'tok_ok', 'tok_declined', 'tok_pending', 'tok_timeout', 'tok_refund_declined'];

const ONCE: PlanTerms = {
  kind: 'one_time',
  name: null,
  amountCents: PRICE_CENTS,
  currency: 'EUR',
  interval: null,
  intervalCount: 1,
  installmentsCount: null,
};

/** Simulated clients of a shop: they buy its product and request refunds, and repeat a request without a response. */
export class Shoppers extends Visitors {
  /** Opens the shop; its clients come within the next `ms`. */
  start(ms: number): void {
    this.schedule(0, async () => {
      const productId = await this.open();
      if (productId === null) return;
      for (let left = this.random.integer(2, 6); left > 0; left--)
        this.schedule(this.random.between(0, ms / 2), () => this.visit(`visit-${left}`, productId));
      for (let left = this.random.integer(2, 6); left > 0; left--)
        this.schedule(this.random.between(ms / 6, ms), () => this.refund(`refund-${left}`));
    });
  }

  private async open(): Promise<string | null> {
    const content = { name: 'A course', description: null, metadata: {}, externalReference: null };
    const created = await this.request('create product', (process, context) =>
      process.get(CreateProductHandler).execute(new CreateProduct(context, { content, plans: [ONCE] })),
    );
    if (created === null) return null;
    const { id } = created.value;
    const approved = await this.request('approve product', (process, context) =>
      process.get(ReviewProductHandler).execute(new ReviewProduct(context, { id, review: { type: 'ApproveProduct' } })),
    );
    return approved && id;
  }

  private async visit(name: string, productId: string): Promise<void> {
    const methodToken = this.random.pick(TOKENS);
    const buyer = { email: 'ada@example.com', name: null };
    const created = await this.request(`${name} cart`, (process, context) =>
      process.get(CreateCartHandler).execute(new CreateCart(context, { businessId: null, fields: {} })),
    );
    if (created === null) return;
    const cartId = created.value.document.id;
    const line = { cartId, productId, planId: null, quantity: 1 };
    await this.request(`${name} line`, (process, context) =>
      process.get(AddLineHandler).execute(new AddLine(context, line)),
    );
    await this.request(`${name} checkout with ${methodToken}`, (process, context) =>
      process.get(CheckOutCartHandler).execute(new CheckOutCart(context, { cartId, buyer, methodToken })),
    );
  }

  /** Requests a part, all, or more than all of a payment. */
  private async refund(name: string): Promise<void> {
    const paid = this.world.stores.events.log.filter(({ type }) => type === 'PaymentSucceeded');
    if (paid.length === 0) return;
    const { paymentId } = this.random.pick(paid).data as { readonly paymentId: string };
    const amountCents = this.random.pick([1, PRICE_CENTS / 2, PRICE_CENTS, PRICE_CENTS + 1, null]);
    const details = { paymentId, amountCents, currency: amountCents === null ? null : 'EUR', reason: null, note: null };
    await this.request(`${name} of ${amountCents}`, (process, context) =>
      process.get(RefundPaymentHandler).execute(new RefundPayment(context, details)),
    );
  }
}
