import { offerDecider } from '../../../src/commerce/domain/offer.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { DAY_MS } from '../../../src/kernel/clock.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { createContext } from '../../support/jar.js';
import { Receiver } from '../../support/receiver.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

const PATH = '/v1/commerce/offers';
const START = '2030-01-31T09:00:00.000Z';
const after = (days: number) => new Date(Date.parse(START) + days * DAY_MS).toISOString();
const BUYER = { email: ' Ada@Example.com', name: 'Ada' };

interface OfferEvent {
  readonly type: string;
  readonly data: { readonly id: string; readonly status: string };
}

let shop: CommerceFixture;
let seller: CommerceFixture;
let receiver: Receiver;
let club: { id: string; plans: { id: string }[] };
beforeAll(async () => {
  receiver = await Receiver.start();
  shop = await CommerceFixture.start({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  seller = await CommerceFixture.createIn(shop.service, 'test');
  await setClock(START);
  club = await seller.createApprovedProduct({ plans: [MONTHLY] });
});
afterAll(() => Promise.all([shop.service.stop(), receiver.stop()]));

const setClock = (now: string) => seller.api.put('/v1/commerce/test-clock', { now });
const create = (body: object = {}, headers = {}) =>
  seller.api.post(PATH, { product_id: club.id, buyer: BUYER, amount_cents: 3900, ...body }, headers);
const createSent = async () => requireData(await create({ send: true }));
const act = (id: string, action: string) => seller.api.post(`${PATH}/${id}/${action}`);
const codeOf = ({ status, body }: ApiResponse) => [status, body.code];

/** Runs a step of a checkout on the offer. */
const run = (id: string, type: 'ReserveOffer' | 'ReleaseOffer' | 'AcceptOffer', orderId = 'ord_1') =>
  shop.service.get(Streams).execute(
    offerDecider,
    id,
    { type, orderId },
    {
      ...createContext(`${type} ${id} ${orderId}`),
      business: seller.businessId,
      mode: 'test',
    },
  );

describe('An offer', () => {
  it('is a draft that names the product, the buyer and the price', async () => {
    const offer = requireData(await create());
    expect(offer).toEqual({
      id: expect.stringMatching(/^off_[0-9a-z]{26}$/),
      object: 'offer',
      business: { object: 'business', id: seller.businessId },
      created_at: START,
      status: 'draft',
      product: { object: 'product', id: club.id },
      plan: { object: 'payment_plan', id: club.plans[0]!.id },
      buyer: { object: 'buyer', id: expect.stringMatching(/^buy_/), email: 'Ada@Example.com', name: 'Ada' },
      amount_cents: 3900,
      currency: 'EUR',
      message: null,
      expires_at: after(30),
      sent_at: null,
      last_sent_at: null,
      sent_count: 0,
      accepted_at: null,
      cancelled_at: null,
      order: null,
      accept_url: `${shop.service.url}/offers/${offer.id}`,
    });
    expect(await seller.get(`offers/${offer.id}`)).toEqual(offer);
    expect((await shop.list(`offers/${offer.id}`)).body.code).toBe('not_found');
  });

  it('is sent at once on request, with its own message and expiry', async () => {
    const body = { send: true, plan_id: club.plans[0]!.id, currency: 'EUR', message: 'For you.' };
    const offer = requireData(await create({ ...body, expires_at: '2030-02-02T10:00:00+01:00' }));
    expect(offer).toMatchObject({ status: 'sent', sent_at: START, last_sent_at: START, sent_count: 1 });
    expect(offer).toMatchObject({ message: 'For you.', expires_at: '2030-02-02T09:00:00.000Z' });
  });

  it('is created once per idempotency key', async () => {
    const key = { 'idempotency-key': 'one offer' };
    const first = await create({}, key);
    expect((await create({}, key)).text).toBe(first.text);
  });

  it.each([
    [{ metadata: {} }, 'unknown_parameter', 'metadata'],
    [{ metadata: null }, 'unknown_parameter', 'metadata'],
    [{ external_reference: 'ref-1' }, 'unknown_parameter', 'external_reference'],
    [{ external_reference: null }, 'unknown_parameter', 'external_reference'],
    [{ product_id: undefined }, 'validation_failed', 'product_id'],
    [{ product_id: 'prod_unknown' }, 'validation_failed', 'product_id'],
    [{ plan_id: 'plan_unknown' }, 'validation_failed', 'plan_id'],
    [{ buyer: undefined }, 'validation_failed', 'buyer'],
    [{ buyer: { email: 'ada' } }, 'validation_failed', 'buyer.email'],
    [{ amount_cents: undefined }, 'validation_failed', 'amount_cents'],
    [{ amount_cents: -1 }, 'validation_failed', 'amount_cents'],
    [{ message: 'x'.repeat(2001) }, 'validation_failed', 'message'],
    [{ expires_at: '2030-02-01' }, 'validation_failed', 'expires_at'],
    [{ expires_at: '2030-01-01T00:00:00Z' }, 'validation_failed', 'expires_at'],
    [{ send: null }, 'validation_failed', 'send'],
    [{ currency: 'USD' }, 'currency_mismatch', 'currency'],
  ])('is refused with %j', async (body, code, param) => {
    const answer = await create(body);
    expect([...codeOf(answer), answer.body.errors[0].param]).toEqual([422, code, param]);
  });

  it('is refused for a product that cannot be sold, and for a plan of another product', async () => {
    const waiting = await seller.createProduct({ plans: [MONTHLY] });
    const refused = await create({ product_id: waiting.id });
    expect([...codeOf(refused), refused.body.block_reason]).toEqual([422, 'not_saleable', 'pending_approval']);
    expect(codeOf(await create({ plan_id: waiting.plans[0].id }))).toEqual([422, 'plan_not_available']);
    const foreign = await shop.createApprovedProduct();
    expect((await create({ product_id: foreign.id })).body.errors).toEqual([
      { code: 'not_found', detail: 'not found', param: 'product_id' },
    ]);
  });
});

describe('The offers list', () => {
  it('filters by status, with exact totals', async () => {
    const other = await CommerceFixture.createIn(shop.service);
    const { id } = await other.createApprovedProduct();
    const ids: string[] = [];
    for (const send of [false, true, true]) {
      const body = { product_id: id, buyer: BUYER, amount_cents: 100, send };
      ids.push(requireData(await other.api.post(PATH, body)).id);
    }
    requireData(await other.api.post(`${PATH}/${ids[2]}/cancel`));
    const list = async (query: string) => {
      const { data, pagination } = (await other.list(`offers${query}`)).body;
      return [data.map((offer: { id: string }) => offer.id), pagination.total_count];
    };

    expect(await list('')).toEqual([ids.toReversed(), 3]);
    expect(await list('?status=draft')).toEqual([[ids[0]], 1]);
    expect(await list('?status=sent&status=cancelled')).toEqual([[ids[2], ids[1]], 2]);
    expect(codeOf(await other.list('offers?status=open'))).toEqual([400, 'invalid_parameter']);
  });
});

describe('A sent offer', () => {
  it('is sent once, and again after a minute', async () => {
    const { id } = requireData(await create());
    expect(codeOf(await act(id, 'resend'))).toEqual([422, 'offer_not_sent']);
    const sent = await act(id, 'send');
    expect([sent.status, sent.body.data.status, sent.body.data.sent_count]).toEqual([200, 'sent', 1]);
    expect((await act(id, 'send')).body.data).toEqual(sent.body.data);
    expect(codeOf(await act(id, 'resend'))).toEqual([429, 'rate_limited']);

    const now = after(0.001);
    await setClock(now);
    const again = requireData(await act(id, 'resend'));
    expect(again).toEqual({ ...sent.body.data, last_sent_at: now, sent_count: 2 });
  });

  it('is cancelled once, and is neither sent nor accepted afterwards', async () => {
    const { id } = await createSent();
    const cancelled = await act(id, 'cancel');
    expect([cancelled.status, cancelled.body.data.status]).toEqual([200, 'cancelled']);
    expect((await act(id, 'cancel')).body.data).toEqual(cancelled.body.data);
    for (const action of ['send', 'resend']) expect(codeOf(await act(id, action))).toEqual([422, 'offer_not_sendable']);
  });

  it('is not sent when its product can no longer be sold', async () => {
    const { id, plans } = await seller.createApprovedProduct({ plans: [MONTHLY, MONTHLY] });
    const offer = requireData(await create({ product_id: id }));
    requireData(await seller.api.delete(`/v1/commerce/products/${id}/plans/${plans[0].id}`));
    expect(codeOf(await act(offer.id, 'send'))).toEqual([422, 'offer_not_sendable']);
  });

  it('waits while a checkout has it, and is not changed after it is accepted', async () => {
    const { id } = await createSent();
    await run(id, 'ReserveOffer');
    await run(id, 'ReserveOffer', 'ord_2');
    for (const action of ['resend', 'cancel']) {
      const waiting = await act(id, action);
      expect([...codeOf(waiting), waiting.headers.get('retry-after')]).toEqual([409, 'concurrent_update', '1']);
    }
    await run(id, 'ReleaseOffer');
    await run(id, 'ReserveOffer', 'ord_3');
    await run(id, 'AcceptOffer', 'ord_3');

    for (const action of ['send', 'resend', 'cancel'])
      expect(codeOf(await act(id, action))).toEqual([422, 'offer_already_accepted']);
    const accepted = await seller.readUntil(`offers/${id}`, ({ status }) => status === 'accepted');
    expect(accepted).toMatchObject({
      accepted_at: expect.any(String),
      order: { object: 'order', id: 'ord_3' },
    });
  });

  it('expires in time, as its drafts do, unless it is accepted or cancelled', async () => {
    const [open, draft, gone] = [await createSent(), requireData(await create()), await createSent()];
    await act(gone.id, 'cancel');
    const held = await createSent();
    await run(held.id, 'ReserveOffer');
    await setClock(after(31));

    for (const { id } of [open, draft]) {
      expect((await seller.get(`offers/${id}`)).status).toBe('expired');
      for (const action of ['send', 'resend', 'cancel'])
        expect(codeOf(await act(id, action))).toEqual([422, 'offer_expired']);
      const cart = await seller.api.post('/v1/commerce/carts', { offer_id: id });
      expect(codeOf(cart)).toEqual([422, 'offer_expired']);
    }
    expect((await seller.get(`offers/${gone.id}`)).status).toBe('cancelled');
    expect((await seller.get(`offers/${held.id}`)).status).toBe('sent');
    await run(held.id, 'ReleaseOffer');
    await setClock(after(32));
    expect((await seller.get(`offers/${held.id}`)).status).toBe('expired');
  });
});

describe('The public events of offers', () => {
  it('have the offer as their data', async () => {
    const endpoint = { url: receiver.url('/offers'), event_types: ['offer.sent', 'offer.cancelled', 'offer.expired'] };
    requireData(await seller.api.post('/v1/webhooks/endpoints', endpoint));
    const cancelled = await createSent();
    requireData(await act(cancelled.id, 'cancel'));
    const expiring = await createSent();
    await setClock(after(70));

    const isOfThisTest = ({ data }: OfferEvent) => [cancelled.id, expiring.id].includes(data.id);
    const events = await eventually(
      async () =>
        receiver
          .requestsFor('/offers')
          .map(({ body }) => JSON.parse(body) as OfferEvent)
          .filter(isOfThisTest),
      ({ length }) => length === 4,
    );
    expect(events.map(({ type, data }) => [type, data.id, data.status]).sort()).toEqual(
      [
        ['offer.sent', cancelled.id, 'sent'],
        ['offer.cancelled', cancelled.id, 'cancelled'],
        ['offer.sent', expiring.id, 'sent'],
        ['offer.expired', expiring.id, 'expired'],
      ].sort(),
    );
  });
});
