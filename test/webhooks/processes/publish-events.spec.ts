import { EventStore } from '../../../src/kernel/event-store.js';
import { isSealed } from '../../../src/kernel/sealed.js';
import { PUBLICATIONS } from '../../../src/webhooks/processes/publications.js';
import { MONTHLY, ONCE, Shop } from '../../commerce/shop.js';
import { addressOf, joined } from '../../community/people.js';
import { dataOf, type Reply } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { startService, type Service } from '../../support/service.js';
import { Schemas } from '../schemas.js';

describe('The publication of events', () => {
  let service: Service;
  let shop: Shop;
  let receiver: Receiver;
  let schemas: Schemas;
  const types = new Set<string>();

  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startService({ WEBHOOK_ENDPOINT_RATE: '1000' });
    shop = await Shop.in(service);
    schemas = new Schemas(shop.api);
    dataOf(await shop.api.post('/v1/webhooks/endpoints', { url: receiver.url('/all') }));
  });
  afterAll(async () => {
    await receiver.stop();
    await service.stop();
  });

  /** Returns the data of the public event of this type about this resource. */
  async function told(type: string, id: string): Promise<Reply['body']> {
    const envelopes = () => receiver.at('/all').map(({ body }) => JSON.parse(body));
    const isIt = (envelope: Reply['body']) => envelope.type === type && envelope.data.id === id;
    await receiver.until(() => envelopes().some(isIt), `${type} of ${id}`);
    types.add(type);
    const { data } = envelopes().find(isIt);
    expect(await schemas.faultsOf(type, data)).toEqual([]);
    return data;
  }

  it('publishes an order with its metadata, and one subscription for each subscription line', async () => {
    const product = await shop.approved({ plans: [ONCE] });
    const club = await shop.approved({ plans: [MONTHLY] });
    const order = await shop.order([product, club], { metadata: { campaign: 'spring' } });

    const data = await told('cart.order.completed', order.id);
    expect(data).toMatchObject({
      id: order.id,
      status: 'completed',
      metadata: { campaign: 'spring' },
      buyer: { email: 'Ada@Example.com', name: 'Ada' },
    });
    const [once, monthly] = data.line_items;
    expect(once).not.toHaveProperty('subscription');
    expect(monthly.subscription).toEqual({ object: 'subscription', id: expect.stringMatching(/^ps_/) });

    expect(await told('payment.sale.succeeded', order.payments[0].id)).toMatchObject({ status: 'succeeded', order: { id: order.id } });
    expect(await told('subscription.created', monthly.subscription.id)).toMatchObject({ status: 'active', order: { id: order.id } });
  });

  it('publishes an invoice as issued and as paid', async () => {
    const order = await shop.order([await shop.approved()]);
    const invoice = (await shop.list('invoices')).body.data.find((one: Reply['body']) => one.order.id === order.id);
    expect(await told('invoice.issued', invoice.id)).toMatchObject({ number: invoice.number, status: 'open', paid_at: null });
    expect(await told('invoice.paid', invoice.id)).toEqual(invoice);
  });

  it('records personal fields encrypted and never as plain text', async () => {
    const page = await service.get(EventStore).readAll({ filter: { prefixes: ['publicEvent-'] }, limit: 1_000 });
    const [order] = page.events.filter(({ data }) => (data as { type: string }).type === 'cart.order.completed');
    expect(isSealed((order!.data as Reply['body']).data.buyer.email)).toBe(true);
    expect(JSON.stringify(page.events).toLowerCase()).not.toContain('ada@example.com');
  });

  it('publishes a failed payment', async () => {
    const product = await shop.approved();
    await shop.checkOut((await shop.cart([product])).id, 'tok_declined');
    const payment = (await shop.list('payments')).body.data.find(({ status }: { status: string }) => status === 'failed');
    expect(await told('payment.sale.failed', payment.id)).toMatchObject({ status: 'failed', order: payment.order });
  });

  it('publishes a resource as it was at the time of the event', async () => {
    const { id } = await shop.product({ name: 'Before' });
    await shop.edit(id, { name: 'After' });
    await shop.approve(id);
    expect(await told('product.review_requested', id)).toMatchObject({ name: 'Before', approval_status: 'review' });
    expect(await told('product.approved', id)).toMatchObject({ name: 'After', approval_status: 'approved' });

    const denied = await shop.product();
    await shop.deny(denied.id);
    expect(await told('product.denied', denied.id)).toMatchObject({ approval_status: 'denied' });
  });

  it('publishes a community, its posts and its points', async () => {
    const community = dataOf(await shop.api.post('/v1/community/communities', { name: 'Potters' }));
    const path = `/v1/community/communities/${community.id}`;
    const post = dataOf(await shop.api.post(`${path}/posts`, { content: 'Hello' }));
    expect(await told('community.created', community.id)).toEqual(community);
    expect(await told('community.post.created', post.id)).toEqual(post);

    await joined(service, community.id, 'ada', 'member');
    const award = dataOf(await shop.api.post(`${path}/points`, { points: 5, target_email: addressOf('ada') }));
    expect(await told('community.points.awarded', award.id)).toEqual(award);
  });

  it('publishes every type that the catalogue lists as sent by the other areas', () => {
    const sent = [...PUBLICATIONS.values()].map(({ type }) => type);
    expect([...types].sort()).toEqual(sent.filter((type) => !type.startsWith('webhook.')).sort());
  });
});
