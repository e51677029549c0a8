import { requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

interface Ids {
  readonly id: string;
}

const YEARLY = { ...MONTHLY, amount_cents: 49_000, interval: 'year', name: 'Yearly' };
const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-06-01T09:00:00.000Z`;

let shop: CommerceFixture;
let club: Ids & { readonly plans: readonly Ids[] };
let monthly: string;
let yearly: string;
let archived: string;
beforeAll(async () => {
  shop = await CommerceFixture.start();
  club = await shop.createApprovedProduct({ plans: [MONTHLY, YEARLY, YEARLY] });
  [monthly, yearly, archived] = club.plans.map(({ id }) => id) as [string, string, string];
  requireData(await shop.api.delete(`/v1/commerce/products/${club.id}/plans/${archived}`));
});
afterAll(() => shop.service.stop());

async function subscribe(email = 'ada@example.com'): Promise<string> {
  const cart = await shop.createCart([], { buyer: { email } });
  requireData(await shop.addLine(cart.id, { product_id: club.id, plan_id: monthly }));
  return requireData(await shop.checkOut(cart.id)).line_items[0].subscription.id;
}

const send = (id: string, path: string, body?: object) =>
  shop.api.post(`/v1/commerce/subscriptions/${id}/${path}`, body);
const act = async (id: string, path: string, body?: object) => requireData(await send(id, path, body));
/** Replaces the names of resources by their ids. */
function fillIds<T extends object>(value: T, ids: Readonly<Record<string, string>>): T {
  const filled = JSON.stringify(value).replaceAll(/\b(MONTHLY|YEARLY|ARCHIVED|CLUB|OTHER)\b/g, (name) => ids[name]!);
  return JSON.parse(filled) as T;
}

const withdraw = (id: string) => shop.api.delete(`/v1/commerce/subscriptions/${id}/pending-change`);
const toReference = (object: string, id: string) => ({ object, id });

describe('A change of a subscription', () => {
  it('waits in the subscription until the next renewal', async () => {
    const id = await subscribe();
    const changed = await act(id, 'plan', { plan_id: yearly });

    expect(changed).toMatchObject({ status: 'active', plan: toReference('payment_plan', monthly), amount_cents: 4900 });
    expect(changed.pending_change).toEqual({
      id: expect.stringMatching(/^psc_/),
      type: 'plan',
      plan: toReference('payment_plan', yearly),
      amount_cents: 49_000,
      currency: 'EUR',
      effective_at: changed.next_billing_at,
      created_at: expect.any(String),
    });
    expect(await shop.get(`subscriptions/${id}`)).toEqual(changed);
  });

  it('is listed with what became of it, newest first', async () => {
    const id = await subscribe();
    await act(id, 'plan', { plan_id: yearly });
    await act(id, 'price', { amount_cents: 5900, currency: 'EUR' });
    await act(id, 'plan', { plan_id: yearly });
    requireData(await withdraw(id));
    const { body } = await shop.list(`subscriptions/${id}/changes`);
    const [third, second, first] = body.data;

    expect(body.pagination).toMatchObject({ total_count: 3, current_page: 1 });
    expect(first).toEqual({
      id: expect.stringMatching(/^psc_/),
      object: 'subscription_change',
      type: 'plan',
      status: 'superseded',
      from: {
        plan: toReference('payment_plan', monthly),
        amount_cents: 4900,
        currency: 'EUR',
        interval: 'month',
        interval_count: 1,
      },
      to: {
        plan: toReference('payment_plan', yearly),
        amount_cents: 49_000,
        currency: 'EUR',
        interval: 'year',
        interval_count: 1,
      },
      created_at: expect.any(String),
      effective_at: (await shop.get(`subscriptions/${id}`)).next_billing_at,
      effective_confirmed_at: null,
      confirmed_by: null,
      superseded_by: toReference('subscription_change', second.id),
      requested_by: { type: 'api_key', id: expect.stringMatching(/^key_/) },
    });
    expect(second).toMatchObject({
      type: 'price',
      status: 'superseded',
      superseded_by: { id: third.id },
      to: { amount_cents: 5900 },
    });
    expect(third).toMatchObject({ type: 'plan', status: 'withdrawn', superseded_by: null });
  });

  it('withdraws the pending one when it names the current plan or price', async () => {
    const id = await subscribe();
    for (const [path, body] of [
      ['plan', { plan_id: monthly }],
      ['price', { amount_cents: 4900 }],
    ] as const) {
      await act(id, 'price', { amount_cents: 5900 });
      expect(await act(id, path, body)).toMatchObject({ pending_change: null });
    }
  });

  it('has the same answer when its request is repeated', async () => {
    const id = await subscribe();
    const path = `/v1/commerce/subscriptions/${id}/price`;
    const headers = { 'idempotency-key': 'raise' };
    const first = await shop.api.post(path, { amount_cents: 5900 }, headers);
    await act(id, 'price', { amount_cents: 6900 });

    expect((await shop.api.post(path, { amount_cents: 5900 }, headers)).text).toBe(first.text);
  });

  it('is hidden from another business', async () => {
    const other = await CommerceFixture.createIn(shop.service);
    const id = await subscribe();

    expect((await other.list(`subscriptions/${id}/changes`)).status).toBe(404);
    expect((await other.api.post(`/v1/commerce/subscriptions/${id}/price`, { amount_cents: 1 })).status).toBe(404);
  });
});

describe('The life of a subscription', () => {
  it('pauses and resumes within the paid period without a charge', async () => {
    const id = await subscribe();
    const { next_billing_at } = await act(id, 'price', { amount_cents: 5900 });
    const paused = await act(id, 'pause', { resumes_at: NEXT_YEAR, reason: 'holidays' });

    expect(paused).toMatchObject({
      status: 'paused',
      next_billing_at: null,
      paused_at: expect.any(String),
      resumes_at: NEXT_YEAR,
      pending_change: { effective_at: null },
    });
    expect(await act(id, 'resume')).toMatchObject({
      status: 'active',
      next_billing_at,
      paused_at: null,
      resumes_at: null,
      pending_change: { effective_at: next_billing_at },
    });
  });

  it('ends with its paid period, unless the cancellation is revoked', async () => {
    const id = await subscribe();
    const { next_billing_at } = await act(id, 'price', { amount_cents: 5900 });
    const cancelling = await act(id, 'cancel', { reason: 'too dear' });

    expect(cancelling).toMatchObject({
      status: 'active',
      next_billing_at: null,
      cancel_at: next_billing_at,
      cancelled_at: null,
      cancellation_reason: 'too dear',
      pending_change: null,
    });
    expect(await act(id, 'cancel')).toEqual(cancelling);
    expect(await act(id, 'uncancel')).toMatchObject({ next_billing_at, cancel_at: null, cancellation_reason: null });
  });

  it('ends at once', async () => {
    const id = await subscribe();
    const ended = await act(id, 'cancel', { mode: 'immediately' });

    expect(ended).toMatchObject({ status: 'cancelled', next_billing_at: null, cancelled_at: ended.cancel_at });
  });
});

describe('The public events of a subscription', () => {
  it('follow its life', async () => {
    const id = await subscribe();
    await act(id, 'price', { amount_cents: 5900 });
    await act(id, 'price', { amount_cents: 6900 });
    await act(id, 'pause');
    await act(id, 'resume');
    await act(id, 'cancel');
    await act(id, 'uncancel');
    await act(id, 'cancel', { mode: 'immediately' });
    const published = await eventually(
      async () => {
        const all = requireData(await shop.api.get('/v1/webhooks/events?limit=100'));
        return all.filter((event: { data: Ids }) => event.data.id === id).reverse();
      },
      (events) => events.at(-1)?.type === 'subscription.cancelled',
    );

    // Events of one command have the same time, and no order.
    const types = published.map(({ type }: { type: string }) => type.replace('subscription.', ''));
    expect(types.sort()).toEqual([
      'cancellation_revoked',
      'cancellation_scheduled',
      'cancelled',
      'change_scheduled',
      'change_scheduled',
      'change_superseded',
      'change_withdrawn',
      'created',
      'paused',
      'resumed',
    ]);
    expect(published.at(-1).data).toEqual(await shop.get(`subscriptions/${id}`));
  });
});

describe('A subscription refuses', () => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    ids.active = await subscribe();
    ids.paused = await subscribe();
    ids.cancelling = await subscribe();
    ids['paused and cancelling'] = await subscribe();
    ids.cancelled = await subscribe();
    await act(ids.paused, 'pause');
    await act(ids.cancelling, 'cancel');
    await act(ids['paused and cancelling'], 'pause');
    await act(ids['paused and cancelling'], 'cancel');
    await act(ids.cancelled, 'cancel', { mode: 'immediately' });
  });

  const refusals: readonly (readonly [string, string, object | undefined, string, string?])[] = [
    ['active', 'plan', { plan_id: 'ARCHIVED' }, 'plan_not_available', 'plan_id'],
    ['active', 'plan', { plan_id: 'MONTHLY' }, 'no_change'],
    ['active', 'price', { amount_cents: 4900 }, 'no_change'],
    ['active', 'price', { amount_cents: 5900, currency: 'USD' }, 'currency_mismatch', 'currency'],
    ['active', 'price', { amount_cents: 0 }, 'validation_failed', 'amount_cents'],
    ['active', 'plan', {}, 'validation_failed', 'plan_id'],
    ['active', 'plan', { plan_id: 'plan_none' }, 'validation_failed', 'plan_id'],
    ['paused', 'plan', { plan_id: 'YEARLY' }, 'subscription_not_active'],
    ['paused', 'price', { amount_cents: 5900 }, 'subscription_not_active'],
    ['cancelling', 'plan', { plan_id: 'YEARLY' }, 'subscription_cancelling'],
    ['cancelling', 'price', { amount_cents: 5900 }, 'subscription_cancelling'],
    ['active', 'pause', { resumes_at: '2026-01-01T09:00:00Z' }, 'validation_failed', 'resumes_at'],
    ['active', 'pause', { resumes_at: '2026-01-01' }, 'validation_failed', 'resumes_at'],
    ['active', 'pause', { reason: 'x'.repeat(501) }, 'validation_failed', 'reason'],
    ['paused', 'pause', {}, 'subscription_not_pausable'],
    ['cancelling', 'pause', {}, 'subscription_not_pausable'],
    ['active', 'resume', undefined, 'subscription_not_paused'],
    ['paused and cancelling', 'resume', undefined, 'subscription_cancelling'],
    ['active', 'cancel', { mode: 'later' }, 'validation_failed', 'mode'],
    ['cancelled', 'cancel', {}, 'subscription_already_cancelled'],
    ['active', 'uncancel', undefined, 'no_scheduled_cancellation'],
    ['cancelled', 'uncancel', undefined, 'no_scheduled_cancellation'],
  ];

  const cases = refusals.map(([state, path, body, code, param]) => ({ state, path, body, code, param }));

  it.each(cases)('that is $state: POST $path $body: $code', async ({ state, path, body, code, param }) => {
    const plans = { MONTHLY: monthly, YEARLY: yearly, ARCHIVED: archived };
    const reply = await send(ids[state]!, path, body && fillIds(body, plans));

    expect([reply.status, reply.body.code]).toEqual([422, code]);
    if (param !== undefined) expect(reply.body.errors.map((error: { param: string }) => error.param)).toEqual([param]);
  });

  it('to withdraw a change that is not there', async () => {
    const reply = await withdraw(ids.active!);

    expect([reply.status, reply.body.code]).toEqual([422, 'no_pending_change']);
  });

  it('a plan of another product, and hides a plan of another business or mode', async () => {
    const other = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const foreign = await (await CommerceFixture.createIn(shop.service)).createProduct({ plans: [MONTHLY] });
    const owner = shop.service.createApi(await shop.service.signToken('owner'));
    const sandbox = owner.withHeaders({ 'x-service-business-id': shop.businessId, 'x-service-mode': 'test' });
    const inTest = requireData(await sandbox.post('/v1/commerce/products', { name: 'Test', plans: [MONTHLY] }));
    const replies = await Promise.all(
      [other, foreign, inTest].map(({ plans }) => send(ids.active!, 'plan', { plan_id: plans[0].id })),
    );

    expect(replies.map(({ body }) => body.code)).toEqual([
      'plan_not_available',
      'validation_failed',
      'validation_failed',
    ]);
  });
});

describe('The list of subscriptions', () => {
  const found: Record<string, string> = {};
  let other: Ids & { readonly plans: readonly Ids[] };
  beforeAll(async () => {
    const bob = 'bob@example.com';
    found.active = await subscribe(bob);
    found.ending = await subscribe(bob);
    found.paused = await subscribe(bob);
    found.cancelled = await subscribe(bob);
    await act(found.ending, 'cancel');
    await act(found.paused, 'pause');
    await act(found.cancelled, 'cancel', { mode: 'immediately' });
    other = await shop.createApprovedProduct({ plans: [MONTHLY] });
    found.other = (await shop.createOrder([other], { buyer: { email: bob } })).line_items[0].subscription.id;
  });

  it.each([
    ['', ['other', 'cancelled', 'paused', 'ending', 'active']],
    ['status=active', ['other', 'ending', 'active']],
    ['status=paused&status=cancelled', ['cancelled', 'paused']],
    ['status=past_due', []],
    ['cancelling=true', ['ending']],
    ['cancelling=false', ['other', 'cancelled', 'paused', 'active']],
    ['status=active&cancelling=false', ['other', 'active']],
    ['status=cancelled&cancelling=true', []],
    ['product_id=OTHER', ['other']],
    ['product_id=CLUB&status=active', ['ending', 'active']],
    ['plan_id=MONTHLY', ['cancelled', 'paused', 'ending', 'active']],
    ['plan_id=MONTHLY&product_id=OTHER', []],
    ['plan_id=YEARLY', []],
    ['created_to=2020-01-01', []],
    ['created_from=2020-01-01&cancelling=true&product_id=CLUB', ['ending']],
  ])('is filtered by "%s"', async (query, names) => {
    const ids = { OTHER: other.id, CLUB: club.id, MONTHLY: monthly, YEARLY: yearly };
    const { filled } = fillIds({ filled: query }, ids);
    const { body } = await shop.list(`subscriptions?buyer_email=BOB@example.com&${filled}`);

    expect(body.data.map(({ id }: Ids) => id)).toEqual(names.map((name) => found[name]));
    expect(body.pagination.total_count).toBe(names.length);
  });

  it('counts a filter of all buyers exactly', async () => {
    const count = async (query: string) =>
      (await shop.list(`subscriptions?per_page=1&${query}`)).body.pagination.total_count;
    const all = await count('');
    const [cancelling, others] = [await count('cancelling=true'), await count('cancelling=false')];

    expect([await count(`product_id=${other.id}`), cancelling + others]).toEqual([1, all]);
  });

  it.each([
    'status=ended',
    'cancelling=yes',
    'cancelling=true&cancelling=false',
    'product_id=a&product_id=b',
    'state=active',
  ])('refuses "%s"', async (query) => {
    const { status, body } = await shop.list(`subscriptions?${query}`);

    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  });
});
