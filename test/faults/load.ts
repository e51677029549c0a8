import { dataOf } from '../support/api.js';
import type { SeededRandom } from '../support/clock.js';
import type { Receiver } from '../support/receiver.js';
import type { Trace } from '../support/invariants/writes.js';
import type { Customer } from './customer.js';

const MONTHLY = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
const LIST = '/v1/webhooks/deliveries?limit=100';

export interface People {
  readonly reviewerToken: string;
  /** Owns the business, and with it the community: the one member who can be awarded points. */
  readonly ownerEmail: string;
}

/** What many customers do side by side: every kind of write, of which some are refused, and some are asked for twice at once. */
export class Load {
  private marks = 0;
  private community = '';
  private readonly products: string[] = [];
  private readonly replayable: string[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly customer: Customer,
    private readonly random: SeededRandom,
    private readonly people: People,
  ) {}

  /** What the rest needs: a community, a product for sale, and receivers of every temper. */
  async prepare(receiver: Receiver): Promise<void> {
    this.community = dataOf((await this.customer.write({ path: '/v1/community/communities', body: { name: 'Readers' } }))!).id;
    await this.register(receiver.url('/all'), '*');
    await this.register(receiver.url('/orders'), 'cart.order.completed');
    await this.register(receiver.url('/refusing'), 'product.approved');
    await this.register(receiver.url('/failing'), 'community.post.created');
    await this.register(receiver.url('/breaking'), 'community.points.awarded');
    await this.register(receiver.url('/silent'), 'subscription.created');
    await this.sell();
  }

  /** One wish after another, until it is told to stop; the last one is carried to its end. */
  async keepOn(stop: AbortSignal): Promise<void> {
    const wishes = [
      () => this.sell(),
      () => this.buy(),
      () => this.buyTwiceAtOnce(),
      () => this.buyAfterDecline(),
      () => this.post(),
      () => this.award(),
      () => this.rename(),
      () => this.refused(),
      () => this.replay(),
    ];
    while (!stop.aborted) await this.oneOf(wishes)();
  }

  private async register(url: string, type: string): Promise<void> {
    const description = this.mark('endpoint');
    const body = { url, event_types: [type], description };
    const leaves = [trace('EndpointCreated', 'description', description)];
    dataOf((await this.customer.write({ path: '/v1/webhooks/endpoints', body, key: description, leaves }))!);
  }

  private async sell(): Promise<void> {
    const name = this.mark('product');
    const leaves = [trace('ProductCreated', 'name', name)];
    const { id } = dataOf(
      (await this.customer.write({ path: '/v1/commerce/products', body: { name, plans: [MONTHLY] }, key: name, leaves }))!,
    );
    dataOf(await this.customer.read(`/v1/commerce/products/${id}`));
    await this.customer.write({
      path: `/v1/commerce/products/${id}/approve`,
      credential: this.people.reviewerToken,
      key: this.mark('approval'),
      leaves: [trace('ProductApproved', 'productId', id)],
    });
    this.products.push(id);
  }

  private async buy(): Promise<void> {
    const cart = await this.filledCart();
    await this.pay(cart, 'tok_ok', this.mark('checkout'), [trace('CartCheckedOut', 'cartId', cart)]);
  }

  private async buyTwiceAtOnce(): Promise<void> {
    const cart = await this.filledCart();
    const key = this.mark('checkout');
    const pay = () => this.pay(cart, 'tok_ok', key, [trace('CartCheckedOut', 'cartId', cart)]);
    const [first, second] = await Promise.all([pay(), pay()]);
    if (first !== second) throw new Error(`one key, two orders: ${first} and ${second}`);
  }

  private async buyAfterDecline(): Promise<void> {
    const cart = await this.filledCart();
    if ((await this.pay(cart, 'tok_declined', this.mark('declined'))) !== null) throw new Error('a declined payment made an order');
    await this.pay(cart, 'tok_ok', this.mark('checkout'));
  }

  private async filledCart(): Promise<string> {
    const mark = this.mark('cart');
    const body = { currency: 'EUR', buyer: { email: `${mark}@example.com`, name: 'Ada' }, metadata: { mark } };
    const leaves = [trace('CartCreated', 'mark', mark)];
    const { id } = dataOf((await this.customer.write({ path: '/v1/commerce/carts', body, key: mark, leaves }))!);
    const line = { path: `/v1/commerce/carts/${id}/lines`, body: { product_id: this.oneOf(this.products) }, key: this.mark('line') };
    dataOf((await this.customer.write({ ...line, leaves: [trace('LineAdded', 'cartId', id)] }))!);
    return id;
  }

  /** The order, with all that belongs to it in the log, or null when the payment was declined. */
  private async pay(cart: string, token: string, key: string, leaves: readonly Trace[] = []): Promise<string | null> {
    const path = `/v1/commerce/carts/${cart}/checkout`;
    const reply = (await this.customer.write({ path, body: { payment_method: { token } }, key, leaves }))!;
    if (reply.status === 402) return null;

    const order = dataOf(reply);
    this.customer.note(
      [
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

  private async post(): Promise<void> {
    const content = this.mark('post');
    const path = `/v1/community/communities/${this.community}/posts`;
    await this.customer.write({ path, body: { content }, leaves: [trace('PostCreated', 'content', content)] });
  }

  private async award(): Promise<void> {
    const sourceId = this.mark('award');
    const body = { points: 5, source_type: 'lesson', source_id: sourceId, target_email: this.people.ownerEmail };
    const path = `/v1/community/communities/${this.community}/points`;
    await this.customer.write({ path, body, leaves: [trace('PointsAwarded', 'sourceId', sourceId)] });
  }

  private async rename(): Promise<void> {
    const name = this.mark('name');
    const path = `/v1/commerce/products/${this.oneOf(this.products)}`;
    await this.customer.write({ method: 'PATCH', path, body: { name }, leaves: [trace('ProductEdited', 'name', name)] });
  }

  private async refused(): Promise<void> {
    const name = this.mark('refused');
    const body = { name, plans: [{ ...MONTHLY, amount_cents: -1 }] };
    await this.customer.write({ path: '/v1/commerce/products', body, key: name, leaves: [trace('ProductCreated', 'name', name)] });
  }

  /** Of a delivery that nobody has replayed yet. */
  private async replay(): Promise<void> {
    if (this.replayable.length === 0) await this.lookForDeliveries();
    const id = this.replayable.pop();
    if (id === undefined) return;
    const leaves = [trace('AttemptStarted', 'replayedFrom', id)];
    await this.customer.write({ path: `/v1/webhooks/deliveries/${id}/replay`, key: this.mark('replay'), leaves });
  }

  private async lookForDeliveries(): Promise<void> {
    const listed = dataOf(await this.customer.read(LIST)) as { readonly id: string }[];
    for (const { id } of listed.filter((delivery) => !this.seen.has(delivery.id))) {
      this.seen.add(id);
      this.replayable.push(id);
    }
  }

  private mark(what: string): string {
    return `${what}-${++this.marks}`;
  }

  private oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.random.next() * all.length)]!;
  }
}

function trace(type: string, field: string, text: string): Trace {
  return { type, field, text };
}
