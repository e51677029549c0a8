import { findIntentAround } from '../../../../src/commerce/gateways/stripe/intent-search.js';
import { createStripeClient } from '../../../../src/commerce/gateways/stripe/stripe-client.js';
import { StripeGateway } from '../../../../src/commerce/gateways/stripe/stripe-gateway.js';
import { toIso } from '../../../../src/kernel/clock.js';
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
  const find = (paymentId: string, max?: number) => findIntentAround(stripe, paymentId, startedAt, max);
  return { find };
}

describe('The list of charges around a time', () => {
  let find: Awaited<ReturnType<typeof charge>>['find'];
  beforeAll(async () => {
    ({ find } = await charge('pay_wanted'));
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
});
