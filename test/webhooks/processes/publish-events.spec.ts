import { isEncryptedField } from '../../../src/kernel/encrypted-field.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { CommerceFixture, MONTHLY, ONCE } from '../../commerce/commerce-fixture.js';
import { emailFor, joinAs } from '../../community/community-users.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service.js';
import { EventDataSchemas } from '../event-schemas.js';

describe('The publication of events', () => {
  let service: Service;
  let shop: CommerceFixture;
  let receiver: Receiver;
  let schemas: EventDataSchemas;

  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startService({ WEBHOOK_ENDPOINT_RATE: '1000' });
    shop = await CommerceFixture.createIn(service);
    schemas = new EventDataSchemas(shop.api);
    requireData(await shop.api.post('/v1/webhooks/endpoints', { url: receiver.url('/all') }));
  });
  afterAll(async () => {
    await receiver.stop();
    await service.stop();
  });

  /** Returns the data of the public event of this type about this resource. */
  async function waitForData(type: string, id: string): Promise<ApiResponse['body']> {
    const envelopes = () => receiver.requestsFor('/all').map(({ body }) => JSON.parse(body));
    const isExpected = (envelope: ApiResponse['body']) => envelope.type === type && envelope.data.id === id;
    await receiver.waitUntil(() => envelopes().some(isExpected), `${type} of ${id}`);
    const { data } = envelopes().find(isExpected);
    expect(await schemas.findErrors(type, data)).toEqual([]);
    return data;
  }

  it('publishes an order with its metadata, and one subscription for each subscription line', async () => {
    const product = await shop.createApprovedProduct({ plans: [ONCE] });
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const order = await shop.createOrder([product, club], { metadata: { campaign: 'spring' } });

    const data = await waitForData('cart.order.completed', order.id);
    expect(data).toMatchObject({
      id: order.id,
      status: 'completed',
      metadata: { campaign: 'spring' },
      buyer: { email: 'Ada@Example.com', name: 'Ada' },
    });
    const [once, monthly] = data.line_items;
    expect(once).not.toHaveProperty('subscription');
    expect(monthly.subscription).toEqual({ object: 'subscription', id: expect.stringMatching(/^ps_/) });

    expect(await waitForData('payment.sale.succeeded', order.payments[0].id)).toMatchObject({
      status: 'succeeded',
      order: { id: order.id },
    });
    expect(await waitForData('subscription.created', monthly.subscription.id)).toMatchObject({
      status: 'active',
      order: { id: order.id },
    });
  });

  it('publishes an invoice as issued and as paid, both with the state that readers see', async () => {
    const order = await shop.createOrder([await shop.createApprovedProduct()]);
    const invoice = (await shop.list('invoices')).body.data.find(
      (one: ApiResponse['body']) => one.order.id === order.id,
    );
    expect(await waitForData('invoice.issued', invoice.id)).toEqual(invoice);
    expect(await waitForData('invoice.paid', invoice.id)).toEqual(invoice);
  });

  it('records personal fields encrypted and never as plain text', async () => {
    const page = await service.get(EventStore).readAll({ filter: { prefixes: ['publicEvent-'] }, limit: 1_000 });
    const [order] = page.events.filter(({ data }) => (data as { type: string }).type === 'cart.order.completed');
    expect(isEncryptedField((order!.data as ApiResponse['body']).data.buyer.email)).toBe(true);
    expect(JSON.stringify(page.events).toLowerCase()).not.toContain('ada@example.com');
  });

  it('publishes a failed payment', async () => {
    const product = await shop.createApprovedProduct();
    await shop.checkOut((await shop.createCart([product])).id, 'tok_declined');
    const payment = (await shop.list('payments')).body.data.find(
      ({ status }: { status: string }) => status === 'failed',
    );
    expect(await waitForData('payment.sale.failed', payment.id)).toMatchObject({
      status: 'failed',
      order: payment.order,
    });
  });

  it('publishes a resource as it was at the time of the event', async () => {
    const { id } = await shop.createProduct({ name: 'Before' });
    await shop.edit(id, { name: 'After' });
    await shop.approve(id);
    expect(await waitForData('product.review_requested', id)).toMatchObject({
      name: 'Before',
      approval_status: 'review',
    });
    expect(await waitForData('product.approved', id)).toMatchObject({ name: 'After', approval_status: 'approved' });

    const denied = await shop.createProduct();
    await shop.deny(denied.id);
    expect(await waitForData('product.denied', denied.id)).toMatchObject({ approval_status: 'denied' });
  });

  it('publishes a community, its posts and its points', async () => {
    const community = requireData(await shop.api.post('/v1/community/communities', { name: 'Potters' }));
    const path = `/v1/community/communities/${community.id}`;
    const post = requireData(await shop.api.post(`${path}/posts`, { content: 'Hello' }));
    expect(await waitForData('community.created', community.id)).toEqual(community);
    expect(await waitForData('community.post.created', post.id)).toEqual(post);

    await joinAs(service, community.id, 'ada', 'member');
    const award = requireData(await shop.api.post(`${path}/points`, { points: 5, target_email: emailFor('ada') }));
    expect(await waitForData('community.points.awarded', award.id)).toEqual(award);
  });

  it('publishes the approval of a product in the mode of the product, in which the reviewer is not', async () => {
    const testShop = await CommerceFixture.createIn(service, 'test');
    const { id } = await testShop.createApprovedProduct();
    const read = async () => (await testShop.api.get(`/v1/webhooks/events?resource=${id}`)).body.data;

    const events = await eventually(read, ({ length }) => length === 2);
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['product.approved', 'product.review_requested']);
  });

  it('publishes a post to the business of its community, although its author has another business', async () => {
    const community = requireData(await shop.api.post('/v1/community/communities', { name: 'Weavers' }));
    await joinAs(service, community.id, 'eve', 'member');
    const other = await service.createBusiness('Another business', 'eve');
    const author = service
      .createApi(await service.signToken('eve', { email: emailFor('eve') }))
      .withHeaders({ 'x-service-business-id': other.id });
    const path = `/v1/community/communities/${community.id}/posts`;
    const post = requireData(await author.post(path, { content: 'Hello' }));

    expect(await waitForData('community.post.created', post.id)).toMatchObject({ content: 'Hello' });
    const events = await service.createApi(await service.createKey(other)).get('/v1/webhooks/events');
    expect(events.body.data.filter(({ type }: { type: string }) => type.startsWith('community.'))).toEqual([]);
  });
});
