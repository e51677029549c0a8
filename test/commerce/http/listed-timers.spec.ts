import { requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

const START = '2030-01-31T09:00:00.000Z';
const SETTLED = '2030-01-31T10:00:00.000Z';
const RENEWED = '2030-02-28T10:00:00.000Z';
const EXPIRED = '2030-03-15T00:00:00.000Z';
const LATER = '2030-04-01T00:00:00.000Z';
/** One more than the timers that run together. */
const ENDED = 17;

describe('A step of a test clock over timers that no event has ended', () => {
  let main: CommerceFixture;
  beforeAll(async () => {
    main = await CommerceFixture.start();
  });
  afterAll(() => main.service.stop());

  /** Creates subscriptions that end while their renewals are charged: the timers of these charges stay listed. */
  async function endDuringCharges() {
    const shop = await CommerceFixture.createIn(main.service, 'test');
    const setClock = async (now: string) => requireData(await shop.api.put('/v1/commerce/test-clock', { now }));
    await setClock(START);
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const cart = await shop.createCart(Array.from({ length: ENDED }, () => club));
    const { id } = requireData(await shop.checkOut(cart.id, 'tok_pending'));
    await setClock(SETTLED);
    const kept = (await shop.createOrder([club])).line_items[0].subscription.id as string;
    const offer = { product_id: club.id, buyer: { email: 'bob@example.com' }, amount_cents: 100, expires_at: EXPIRED };
    const { id: offerId } = requireData(await shop.api.post('/v1/commerce/offers', offer));
    await setClock(RENEWED);
    const { line_items: lines } = await shop.get(`orders/${id}`);
    for (const { subscription } of lines)
      requireData(await shop.api.post(`/v1/commerce/subscriptions/${subscription.id}/cancel`, { mode: 'immediately' }));
    return { shop, setClock, kept, offerId: offerId as string };
  }

  it('expires the offer and renews the subscription that follow them', async () => {
    const { shop, setClock, kept, offerId } = await endDuringCharges();

    expect(await setClock(LATER)).toMatchObject({ now: LATER, status: 'ready' });

    expect(await shop.get(`offers/${offerId}`)).toMatchObject({ status: 'expired' });
    expect(await shop.get(`subscriptions/${kept}`)).toMatchObject({ next_billing_at: '2030-04-30T10:00:00.000Z' });
    const { body } = await shop.list('payments?per_page=100');
    const renewals = body.data.filter(({ kind }: { kind: string }) => kind === 'renewal');
    expect(renewals.map(({ status }: { status: string }) => status)).toEqual(Array(ENDED + 2).fill('succeeded'));
  });

  it('runs what follows them in each further step too', async () => {
    const { shop, setClock, kept } = await endDuringCharges();
    const read = async () => (await shop.get(`subscriptions/${kept}`)).next_billing_at;

    for (const [now, next] of [
      ['2030-03-31T10:00:00.000Z', '2030-04-30T10:00:00.000Z'],
      ['2030-04-30T09:59:59.999Z', '2030-04-30T10:00:00.000Z'],
      ['2030-04-30T10:00:00.000Z', '2030-05-31T10:00:00.000Z'],
    ] as const) {
      expect(await setClock(now)).toMatchObject({ now, status: 'ready' });
      expect(await read()).toBe(next);
    }
  });
});
