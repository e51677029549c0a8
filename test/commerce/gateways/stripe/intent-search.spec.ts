import { findIntent, findIntentAround } from '../../../../src/commerce/gateways/stripe/intent-search.js';
import { createStripeClient } from '../../../../src/commerce/gateways/stripe/stripe-client.js';
import { StripeGateway } from '../../../../src/commerce/gateways/stripe/stripe-gateway.js';
import { addMs, toIso } from '../../../../src/kernel/clock.js';
import { ManualClock } from '../../../support/clock.js';
import { StripeServer } from '../../../support/stripe-server.js';

const OTHERS = 5;

let server: StripeServer;
beforeAll(async () => {
  server = await StripeServer.start();
});
afterAll(() => server.stop());

/** Makes other charges, and then one for each of these payments. */
async function charge(...references: string[]) {
  const account = { secretKey: 'sk_test_1', apiBase: server.url, timeoutMs: 10_000 };
  const stripe = await createStripeClient(account);
  const clock = new ManualClock(Date.now());
  const gateway = new StripeGateway(stripe, clock);
  const startedAt = toIso(clock.now());
  const others = Array.from({ length: OTHERS }, (_, n) => `pay_other${n}`);
  for (const reference of [...others, ...references]) {
    const charge = { key: `${reference}:pm_card_visa`, reference, methodToken: 'pm_card_visa', mode: 'test' } as const;
    await gateway.charge({ ...charge, amountCents: 100, currency: 'EUR', startedAt });
  }
  const find = (paymentId: string, max?: number, afterStartMs = 0) =>
    findIntentAround(stripe, paymentId, addMs(startedAt, afterStartMs), max);
  return { find, search: (paymentId: string) => findIntent(stripe, paymentId) };
}

describe('The list of charges around a time', () => {
  let find: Awaited<ReturnType<typeof charge>>['find'];
  let search: Awaited<ReturnType<typeof charge>>['search'];
  beforeAll(async () => {
    ({ find, search } = await charge('pay_wanted'));
  });

  it('has every charge of the time', async () => {
    expect(await find('pay_wanted')).toMatchObject({
      intent: { metadata: { payment_id: 'pay_wanted' } },
      complete: true,
    });
    expect(await find('pay_lost')).toEqual({ intent: null, complete: true });
  });

  it('is not complete when it is cut before its end, so that a missing charge may have been made', async () => {
    for (const paymentId of ['pay_lost', 'pay_wanted'])
      expect(await find(paymentId, OTHERS)).toEqual({ intent: null, complete: false });
  });

  it('shows a charge that it has before the cut', async () =>
    expect(await find('pay_other1', OTHERS)).toMatchObject({ complete: true }));

  it.each([
    ['14 minutes before', 14, true],
    ['14 minutes after', -14, true],
    ['16 minutes before', 16, false],
    ['16 minutes after', -16, false],
  ])('has charges until a quarter of an hour from its time, on both sides: one %s', async (_, minutes, isListed) => {
    const { intent, complete } = await find('pay_wanted', undefined, minutes * 60_000);

    expect([intent !== null, complete]).toEqual([isListed, true]);
  });

  it('is not asked when the search fails: only an account without a search needs it', async () => {
    server.hasNoSearch = true;
    expect(await search('pay_wanted')).toBeNull();
    server.hasNoSearch = false;
    server.failNext('GET /v1/payment_intents/search', 'error', 'error', 'error');
    await expect(search('pay_wanted')).rejects.toMatchObject({ statusCode: 500 });
  });
});
