import { type ApiResponse, requireData } from '../support/api.js';
import type { RandomChoices } from './random-choices.js';
import { createTrace, type RecordingClient } from './recording-client.js';

const MONTHLY = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
const PRODUCTS = '/v1/commerce/products';
const CARTS = '/v1/commerce/carts';
const PAYOUTS = '/v1/commerce/payouts';
/** More than half of a payment. */
const REFUND_CENTS = 3_000;

/** The load on commerce, from the creation of products to payments. */
export class CommerceLoad {
  private readonly products: string[] = [];
  /** The payments that have no refund yet. */
  private readonly payments = new Set<string>();
  /** The payments with a refund. The response to a repeated checkout names its payment again, perhaps after the refund. */
  private readonly refunded = new Set<string>();
  private hasSales = false;

  constructor(
    private readonly customer: RecordingClient,
    private readonly random: RandomChoices,
    private readonly reviewer: string,
  ) {}

  async sell(): Promise<void> {
    const id = await this.createProduct();
    await this.review(id, 'approve', 'ProductApproved');
    this.products.push(id);
  }

  async sellAfterDenial(): Promise<void> {
    const id = await this.createProduct();
    await this.review(id, 'deny', 'ProductDenied', { reason: 'Too vague.' });
    await this.customer.write({ method: 'PATCH', path: `${PRODUCTS}/${id}`, body: { description: 'Not vague.' } });
  }

  async buy(): Promise<void> {
    await this.pay(await this.fillCart(), 'tok_ok', this.random.createMark('checkout'));
  }

  async buyTwiceAtOnce(): Promise<void> {
    const cart = await this.fillCart();
    const key = this.random.createMark('checkout');
    const pay = () => this.pay(cart, 'tok_ok', key);
    const [first, second] = await Promise.all([pay(), pay()]);
    if (first !== second) throw new Error(`one key, two orders: ${first} and ${second}`);
  }

  /** Checks that a declined payment releases the idempotency key for another request. */
  async buyAfterDecline(): Promise<void> {
    const cart = await this.fillCart();
    const key = this.random.createMark('checkout');
    if ((await this.pay(cart, 'tok_declined', key)) !== null) throw new Error('a declined payment made an order');
    await this.pay(cart, 'tok_ok', key, this.random.createMark('second-try'));
  }

  /** Requests two refunds at once of more than the payment together: one is accepted. */
  async refundTwiceAtOnce(): Promise<void> {
    const [payment] = this.payments;
    if (payment === undefined) return;
    this.payments.delete(payment);
    this.refunded.add(payment);
    const replies = await Promise.all([this.refund(payment), this.refund(payment)]);
    const results = replies.map(({ status, body }) => (status === 422 ? body.code : status)).sort();
    if (results.join() !== '201,refund_amount_exceeds_refundable')
      throw new Error(`two refunds of ${payment}: ${results.join()}`);
  }

  async payOut(): Promise<void> {
    if (!this.hasSales) return;
    const key = this.random.createMark('payout');
    await this.customer.write({ path: PAYOUTS, body: { amount_cents: 1, currency: 'EUR' }, key, effect: 'PayoutPaid' });
  }

  private async refund(payment: string): Promise<ApiResponse> {
    const path = `/v1/commerce/payments/${payment}/refunds`;
    const key = this.random.createMark('refund');
    const body = { amount_cents: REFUND_CENTS };
    return (await this.customer.write({ path, body, key, effect: 'RefundSucceeded' }))!;
  }

  async rename(): Promise<void> {
    const name = this.random.createMark('name');
    const path = `${PRODUCTS}/${this.random.pick(this.products)}`;
    await this.customer.write({
      method: 'PATCH',
      path,
      body: { name },
      traces: [createTrace('ProductEdited', 'name', name)],
    });
  }

  async sendInvalidProduct(): Promise<void> {
    const key = this.random.createMark('refused');
    const body = { name: key, plans: [{ ...MONTHLY, amount_cents: -1 }] };
    await this.customer.write({ path: PRODUCTS, body, key, effect: 'ProductCreated' });
  }

  private async createProduct(): Promise<string> {
    const key = this.random.createMark('product');
    const leaves = [
      createTrace('ProductCreated', 'name', key),
      createTrace('ProductReviewRequested', 'requestId', key),
    ];
    const { id } = requireData(
      (await this.customer.write({ path: PRODUCTS, body: { name: key, plans: [MONTHLY] }, key, traces: leaves }))!,
    );
    requireData(await this.customer.read(`${PRODUCTS}/${id}`));
    return id;
  }

  private review(id: string, verdict: 'approve' | 'deny', effect: string, body?: object): Promise<ApiResponse | null> {
    const path = `${PRODUCTS}/${id}/${verdict}`;
    return this.customer.write({ path, body, credential: this.reviewer, key: this.random.createMark(verdict), effect });
  }

  private async fillCart(): Promise<string> {
    const mark = this.random.createMark('cart');
    const body = { currency: 'EUR', buyer: { email: `${mark}@example.com`, name: 'Ada' }, metadata: { mark } };
    const { id } = requireData((await this.customer.write({ path: CARTS, body, key: mark, effect: 'CartCreated' }))!);
    const line = {
      path: `${CARTS}/${id}/lines`,
      body: { product_id: this.random.pick(this.products) },
      key: this.random.createMark('line'),
    };
    requireData((await this.customer.write({ ...line, effect: 'LineAdded' }))!);
    return id;
  }

  /** Pays a cart and notes the events expected in the log; returns the order id, or null for a declined payment. */
  private async pay(cart: string, token: string, key: string, requestId = key): Promise<string | null> {
    const request = {
      path: `${CARTS}/${cart}/checkout`,
      body: { payment_method: { token } },
      key,
      requestId,
      effect: 'OrderCompleted',
    };
    const reply = (await this.customer.write(request))!;
    if (reply.status === 402) return null;

    const order = requireData(reply);
    const paymentId = order.payments.at(-1).id;
    this.customer.recordWrites(
      [
        createTrace('CartCheckedOut', 'requestId', requestId),
        createTrace('OrderPlaced', 'orderId', order.id),
        createTrace('OrderCompleted', 'orderId', order.id),
        createTrace('PaymentSucceeded', 'paymentId', paymentId),
        createTrace('InvoicePaid', 'invoiceId', order.invoice.id),
        createTrace('SubscriptionStarted', 'subscriptionId', order.line_items[0].subscription.id),
      ],
      'acknowledged',
    );
    if (!this.refunded.has(paymentId)) this.payments.add(paymentId);
    this.hasSales = true;
    return order.id;
  }
}
