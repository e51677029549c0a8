import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { emailFor, signIn } from '../../community/community-users.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { forgetAddress } from '../../support/forget.js';
import { Receiver } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service.js';
import { ReceivedEvents } from '../received-events.js';

const TYPES = ['buyer.*', 'community.member.*'];

describe('The publication of erasures', () => {
  let service: Service;
  let receiver: Receiver;
  let shop: CommerceFixture;
  let other: CommerceFixture;
  let ofShop: ReceivedEvents;
  let ofOther: ReceivedEvents;

  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startService({ WEBHOOK_ENDPOINT_RATE: '1000' });
    shop = await CommerceFixture.createIn(service);
    other = await CommerceFixture.createIn(service);
    ofShop = await ReceivedEvents.subscribe(shop.api, receiver, '/shop', TYPES);
    ofOther = await ReceivedEvents.subscribe(other.api, receiver, '/other', TYPES);
  });
  afterAll(async () => {
    await receiver.stop();
    await service.stop();
  });

  /** Sells to a buyer of the name `ada`, and returns the buyer. */
  async function sell(to: CommerceFixture): Promise<ApiResponse['body']> {
    await to.createOrder([await to.createApprovedProduct()]);
    return (await to.api.get('/v1/commerce/buyers')).body.data[0];
  }

  it('tells a business that it has erased a buyer, with nothing but ids', async () => {
    const { id, business } = await sell(shop);
    await shop.api.delete(`/v1/commerce/buyers/${id}/personal-data`);
    await shop.api.delete(`/v1/commerce/buyers/${id}/personal-data`);

    const event = await ofShop.waitForOne('buyer.erased', id);
    expect(event.data).toEqual({ id, object: 'buyer', business, erased: true });
    expect(event.changes).toBeNull();
  });

  it('tells every business that an operator has erased a buyer', async () => {
    const buyer = await sell(other);
    await forgetAddress(service, 'ada@example.com');
    expect((await ofOther.waitForOne('buyer.erased', buyer.id)).data).toMatchObject({ erased: true });
    expect(ofOther.list('buyer.erased')).toHaveLength(1);
    expect(ofShop.list('buyer.erased')).toHaveLength(1);
  });

  it('tells a community that an operator has erased a member', async () => {
    const { id } = requireData(await other.api.post('/v1/community/communities', { name: 'Potters' }));
    const eve = await signIn(service, 'eve');
    const member = requireData(await eve.post(`/v1/community/communities/${id}/join`));
    const joined = await ofOther.waitForOne('community.member.joined', member.id);
    await forgetAddress(service, emailFor('eve'));
    await forgetAddress(service, emailFor('eve'));

    const erased = await ofOther.waitForOne('community.member.erased', member.id);
    const community = { object: 'community', id };
    expect(erased.data).toEqual({ id: member.id, object: 'community_member', community, erased: true });
    expect(erased.sequence).toBeGreaterThan(joined.sequence);
  });

  it('leaves no value of a forgotten person in the changes of an event, in the API and in what is sent again', async () => {
    const { id } = requireData(await other.api.post('/v1/community/communities', { name: 'Weavers' }));
    const member = requireData(await (await signIn(service, 'mia')).post(`/v1/community/communities/${id}/join`));
    const moved = await service.signToken('mia', { email: emailFor('mia-moved') });
    requireData(await service.createApi(moved).get('/v1/auth/me'));
    const sent = await ofOther.waitForOne('community.member.changed', member.id);
    const [before, after] = [emailFor('mia'), emailFor('mia-moved')];
    expect(sent.changes).toEqual({ user: { before: { ...member.user, email: before }, after: sent.data.user } });
    expect(sent.data.user.email).toBe(after);

    await forgetAddress(service, before);
    const readChanges = async () => requireData(await other.api.get(`/v1/webhooks/events/${sent.id}`)).changes.user;
    expect(await readChanges()).toMatchObject({ before: { email: null }, after: { email: after } });
    await forgetAddress(service, after);
    expect(await readChanges()).toMatchObject({ before: { email: null }, after: { email: null } });

    const key = { 'idempotency-key': 'after the erasure' };
    requireData(await other.api.post(`/v1/webhooks/deliveries/${sent.delivery_id}/replay`, {}, key));
    const [first, again] = ofOther.list('community.member.changed', member.id);
    expect([first.id, again.id]).toEqual([sent.id, sent.id]);
    for (const address of [before, after]) expect(JSON.stringify(again)).not.toContain(address);

    const past = await ReceivedEvents.subscribe(other.api, receiver, '/past', TYPES);
    const { id: endpoint_id } = (await other.api.get('/v1/webhooks/endpoints')).body.data[0];
    const window = { created_from: '2020-01-01', scope: 'never_planned', endpoint_id };
    requireData(await other.api.post('/v1/webhooks/replay-jobs', window));
    const filled = await past.waitForOne('community.member.changed', member.id);
    for (const address of [before, after]) expect(JSON.stringify(filled)).not.toContain(address);
  });
});
