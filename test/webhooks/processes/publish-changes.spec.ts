import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { emailFor, joinAs } from '../../community/community-users.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service.js';
import { EventDataSchemas } from '../event-schemas.js';

describe('The publication of changes', () => {
  let service: Service;
  let shop: CommerceFixture;
  let receiver: Receiver;
  let schemas: EventDataSchemas;
  let path: string;
  let communityId: string;

  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startService({ WEBHOOK_ENDPOINT_RATE: '1000' });
    shop = await CommerceFixture.createIn(service);
    schemas = new EventDataSchemas(shop.api);
    const subscribe = (to: string, event_types: string[]) =>
      shop.api.post('/v1/webhooks/endpoints', { url: receiver.url(to), event_types });
    requireData(await subscribe('/all', ['*']));
    requireData(await subscribe('/messages', ['community.message.*']));
    communityId = requireData(await shop.api.post('/v1/community/communities', { name: 'Potters' })).id;
    path = `/v1/community/communities/${communityId}`;
  });
  afterAll(async () => {
    await receiver.stop();
    await service.stop();
  });

  /** Returns the only event of the type about the resource, with valid data. */
  async function waitForEvent(type: string, id: string, at = '/all'): Promise<ApiResponse['body']> {
    const find = () =>
      receiver
        .requestsFor(at)
        .map(({ body }) => JSON.parse(body))
        .filter((event) => event.type === type && event.data.id === id);
    await receiver.waitUntil(() => find().length > 0, `${type} of ${id}`);
    expect(find()).toHaveLength(1);
    expect(await schemas.findErrors(type, find()[0].data)).toEqual([]);
    return find()[0];
  }

  async function findMember(name: string): Promise<ApiResponse['body']> {
    const find = async () => {
      const { body } = await shop.api.get(`${path}/members`);
      return body.data.find(({ user }: ApiResponse['body']) => user.email === emailFor(name));
    };
    return eventually(find, (member) => member !== undefined);
  }

  it('tells of the end of a membership, and of the ban that lets nobody return', async () => {
    await joinAs(service, communityId, 'eve', 'member');
    const { id, user } = await findMember('eve');
    requireData(await shop.api.patch(`${path}/members/${user.id}`, { status: 'banned' }));
    const banned = await waitForEvent('community.member.banned', id);
    expect(banned.data).toMatchObject({ status: 'banned', user: { email: emailFor('eve') } });

    requireData(await shop.api.patch(`${path}/members/${user.id}`, { status: 'active' }));
    const unbanned = await waitForEvent('community.member.unbanned', id);
    expect(unbanned.sequence).toBeGreaterThan(banned.sequence);
    expect(banned.changes).toMatchObject({ status: { before: 'active', after: 'banned' } });
    expect(unbanned.changes).toMatchObject({ status: { before: 'banned' } });
  });

  it('tells of messages to those who name them, and of their edits to everybody', async () => {
    const channel = requireData(await shop.api.post(`${path}/channels`, { name: 'kiln' }));
    expect(await waitForEvent('community.channel.created', channel.id)).toMatchObject({ data: channel, changes: null });

    const messages = `/v1/community/channels/${channel.id}/messages`;
    const sent = requireData(await shop.api.post(messages, { content: 'Hot' }));
    const edited = requireData(await shop.api.patch(`/v1/community/messages/${sent.id}`, { content: 'Cold' }));
    expect((await waitForEvent('community.message.created', sent.id, '/messages')).data).toEqual(sent);
    const { data, changes } = await waitForEvent('community.message.edited', sent.id);
    expect(data).toEqual(edited);
    expect(changes).toMatchObject({ content: { before: 'Hot', after: 'Cold' } });
    const types = receiver.requestsFor('/all').map(({ body }) => JSON.parse(body).type as string);
    expect(types).not.toContain('community.message.created');
  });

  it('tells of comments and of restored posts, with their counts', async () => {
    const post = requireData(await shop.api.post(`${path}/posts`, { content: 'Hello' }));
    const comments = `/v1/community/posts/${post.id}/comments`;
    const comment = requireData(await shop.api.post(comments, { content: 'Well said' }));
    expect((await waitForEvent('community.comment.created', comment.id)).data).toEqual(comment);
    const edited = requireData(await shop.api.patch(`/v1/community/posts/${post.id}`, { content: 'Hello all' }));
    const { data, changes } = await waitForEvent('community.post.edited', post.id);
    expect(data).toEqual(edited);
    expect(edited.comment_count).toBe(1);
    expect(changes).toEqual({
      content: { before: 'Hello', after: 'Hello all' },
      is_edited: { before: false, after: true },
    });
  });

  it('tells of products and discounts', async () => {
    const product = await shop.createProduct();
    const edited = await shop.edit(product.id, { name: 'Second' });
    const { data, changes } = await waitForEvent('product.updated', product.id);
    expect(data).toMatchObject({ name: 'Second' });
    expect(changes).toMatchObject({ name: { before: product.name, after: 'Second' } });
    expect(edited).toBeDefined();

    const terms = { code: 'SPRING', percent_off: 20, duration: 'once' };
    const discount = requireData(await shop.api.post('/v1/commerce/discounts', terms));
    expect((await waitForEvent('discount.created', discount.id)).data).toEqual(discount);
    const deleted = requireData(await shop.api.delete(`/v1/commerce/discounts/${discount.id}`));
    expect((await waitForEvent('discount.deleted', discount.id)).data).toEqual(deleted);
  });

  it('tells that an order failed', async () => {
    const cart = await shop.createCart([await shop.createApprovedProduct()]);
    await shop.checkOut(cart.id, 'tok_declined');
    const [payment] = (await shop.list('payments')).body.data;
    const { data } = await waitForEvent('order.failed', payment.order.id);
    expect(data).toMatchObject({ status: 'failed', cart: { id: cart.id } });
  });
});
