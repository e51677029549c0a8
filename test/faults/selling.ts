import { dataOf, type Reply } from '../support/api.js';
import { trace, type Customer } from './customer.js';
import type { Luck } from './luck.js';

const MONTHLY = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
const PRODUCTS = '/v1/commerce/products';
const CARTS = '/v1/commerce/carts';

/** The load on commerce, from the creation of products to payments. */
export class Selling {
  private readonly products: string[] = [];

  constructor(
    private readonly customer: Customer,
    private readonly luck: Luck,
    private readonly reviewer: string,
  ) {}

  async sell(): Promise<void> {
    const id = await this.offer();
    await this.review(id, 'approve', 'ProductApproved');
    this.products.push(id);
  }

  async sellAfterDenial(): Promise<void> {
    const id = await this.offer();
    await this.review(id, 'deny', 'ProductDenied', { reason: 'Too vague.' });
    await this.customer.write({ method: 'PATCH', path: `${PRODUCTS}/${id}`, body: { description: 'Not vague.' } });
  }

  async buy(): Promise<void> {
    await this.pay(await this.filledCart(), 'tok_ok', this.luck.mark('checkout'));
  }

  async buyTwiceAtOnce(): Promise<void> {
    const cart = await this.filledCart();
    const key = this.luck.mark('checkout');
    const pay = () => this.pay(cart, 'tok_ok', key);
    const [first, second] = await Promise.all([pay(), pay()]);
    if (first !== second) throw new Error(`one key, two orders: ${first} and ${second}`);
  }

  /** Checks that a declined payment releases the idempotency key for another request. */
  async buyAfterDecline(): Promise<void> {
    const cart = await this.filledCart();
    const key = this.luck.mark('checkout');
    if ((await this.pay(cart, 'tok_declined', key)) !== null) throw new Error('a declined payment made an order');
    await this.pay(cart, 'tok_ok', key, this.luck.mark('second-try'));
  }

  async rename(): Promise<void> {
    const name = this.luck.mark('name');
    const path = `${PRODUCTS}/${this.luck.oneOf(this.products)}`;
    await this.customer.write({ method: 'PATCH', path, body: { name }, leaves: [trace('ProductEdited', 'name', name)] });
  }

  async refused(): Promise<void> {
    const key = this.luck.mark('refused');
    const body = { name: key, plans: [{ ...MONTHLY, amount_cents: -1 }] };
    await this.customer.write({ path: PRODUCTS, body, key, effect: 'ProductCreated' });
  }

  private async offer(): Promise<string> {
    const key = this.luck.mark('product');
    const leaves = [trace('ProductCreated', 'name', key), trace('ProductReviewRequested', 'requestId', key)];
    const { id } = dataOf((await this.customer.write({ path: PRODUCTS, body: { name: key, plans: [MONTHLY] }, key, leaves }))!);
    dataOf(await this.customer.read(`${PRODUCTS}/${id}`));
    return id;
  }

  private review(id: string, verdict: 'approve' | 'deny', effect: string, body?: object): Promise<Reply | null> {
    const path = `${PRODUCTS}/${id}/${verdict}`;
    return this.customer.write({ path, body, credential: this.reviewer, key: this.luck.mark(verdict), effect });
  }

  private async filledCart(): Promise<string> {
    const mark = this.luck.mark('cart');
    const body = { currency: 'EUR', buyer: { email: `${mark}@example.com`, name: 'Ada' }, metadata: { mark } };
    const { id } = dataOf((await this.customer.write({ path: CARTS, body, key: mark, effect: 'CartCreated' }))!);
    const line = { path: `${CARTS}/${id}/lines`, body: { product_id: this.luck.oneOf(this.products) }, key: this.luck.mark('line') };
    dataOf((await this.customer.write({ ...line, effect: 'LineAdded' }))!);
    return id;
  }

  /** Pays a cart and notes the events expected in the log; returns the order id, or null for a declined payment. */
  private async pay(cart: string, token: string, key: string, requestId = key): Promise<string | null> {
    const wish = { path: `${CARTS}/${cart}/checkout`, body: { payment_method: { token } }, key, requestId, effect: 'OrderCompleted' };
    const reply = (await this.customer.write(wish))!;
    if (reply.status === 402) return null;

    const order = dataOf(reply);
    this.customer.note(
      [
        trace('CartCheckedOut', 'requestId', requestId),
        trace('OrderPlaced', 'orderId', order.id),
        trace('OrderCompleted', 'orderId', order.id),
        trace('PaymentSucceeded', 'paymentId', order.payments.at(-1).id),
        trace('InvoicePaid', 'invoiceId', order.invoice.id),
        trace('SubscriptionStarted', 'subscriptionId', order.line_items[0].subscription.id),
      ],
      'acknowledged',
    );
    return order.id;
  }
}
