import { requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

const START = '2030-01-31T09:00:00.000Z';
const DUE = '2030-02-28T09:00:00.000Z';
const LAST_RETRY = '2030-03-21T09:00:00.000Z';
const YEARLY = { ...MONTHLY, amount_cents: 49_000, interval: 'year', name: 'Yearly' };

interface PublicEvent {
  readonly type: string;
  readonly sequence: number;
  readonly data: { readonly id: string; readonly status: string };
}

describe('The data of an event', () => {
  let shop: CommerceFixture;
  let product: { plans: { id: string }[] };
  let id: string;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  const setClock = async (now: string) => requireData(await shop.api.put('/v1/commerce/test-clock', { now }));
  const read = () => shop.get(`subscriptions/${id}`);
  const act = async (path: string, body?: object) =>
    requireData(await shop.api.post(`/v1/commerce/subscriptions/${id}/${path}`, body));

  async function subscribe(token: string) {
    shop = await CommerceFixture.createIn(shop.service, 'test');
    await setClock(START);
    const created = await shop.createApprovedProduct({ plans: [MONTHLY, YEARLY] });
    product = created;
    const { id: cart } = await shop.createCart([created]);
    const order = requireData(await shop.checkOut(cart, token));
    id = order.line_items[0].subscription.id;
  }

  /** The newest events of a resource once the last one is of this type, in the order of their sequence. */
  const publishedOf = (resource: string, last: string): Promise<PublicEvent[]> =>
    eventually(
      async () => {
        const all = requireData(await shop.api.get('/v1/webhooks/events?limit=100')) as PublicEvent[];
        return all.filter(({ data }) => data.id === resource).sort((a, b) => a.sequence - b.sequence);
      },
      (events) => events.at(-1)?.type === last,
    );

  const findLast = (events: readonly PublicEvent[], type: string) => events.findLast((event) => event.type === type)!;

  it('is active in the change of a plan that a retry has paid, as the API answers it', async () => {
    await subscribe('tok_fail_on_renewal');
    await act('plan', { plan_id: product.plans[1]!.id });
    await setClock(DUE);
    requireData(await shop.api.put(`/v1/commerce/subscriptions/${id}/payment-method`, { token: 'tok_ok' }));

    const events = await publishedOf(id, 'subscription.renewed');

    const current = await read();
    expect(current).toMatchObject({ status: 'active', plan: { id: product.plans[1]!.id }, pending_change: null });
    for (const type of ['subscription.plan_changed', 'subscription.renewed'])
      expect(findLast(events, type).data).toMatchObject(current);
  });

  it('has the time of the pending change after a pause, a resume and a failed renewal', async () => {
    await subscribe('tok_fail_on_renewal');
    await act('price', { amount_cents: 5_900 });
    const paused = await act('pause');
    const resumed = await act('resume');
    await setClock(DUE);

    const events = await publishedOf(id, 'subscription.past_due');

    expect([paused, resumed].map(({ pending_change: { effective_at } }) => effective_at)).toEqual([null, DUE]);
    expect(findLast(events, 'subscription.paused').data).toEqual(paused);
    expect(findLast(events, 'subscription.resumed').data).toEqual(resumed);
    expect(findLast(events, 'subscription.past_due').data).toEqual(await read());
  });

  it('is cancelled in the change that failed with the last retry', async () => {
    await subscribe('tok_fail_on_renewal');
    await act('price', { amount_cents: 5_900 });
    await setClock(LAST_RETRY);

    const events = await publishedOf(id, 'subscription.cancelled');

    const current = await read();
    expect(current).toMatchObject({ status: 'cancelled', cancellation_reason: 'payment_failed' });
    for (const type of ['subscription.change_failed', 'subscription.cancelled'])
      expect(findLast(events, type).data).toMatchObject(current);
  });

  it('is paid in the invoice of a checkout, which is issued and paid at once', async () => {
    shop = await CommerceFixture.createIn(shop.service);
    const order = await shop.createOrder([await shop.createApprovedProduct({ plans: [ONCE] })]);

    const events = await publishedOf(order.invoice.id, 'invoice.paid');

    const current = await shop.get(`invoices/${order.invoice.id}`);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['invoice.issued', current],
      ['invoice.paid', current],
    ]);
  });
});
