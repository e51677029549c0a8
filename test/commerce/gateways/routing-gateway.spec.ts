import { Logger } from '@nestjs/common';
import { RoutingGateway } from '../../../src/commerce/gateways/routing-gateway.js';
import { SimulatedGateway } from '../../../src/commerce/gateways/simulated-gateway.js';
import { createStripeClient } from '../../../src/commerce/gateways/stripe/stripe-client.js';
import { StripeGateway } from '../../../src/commerce/gateways/stripe/stripe-gateway.js';
import type { Mode } from '../../../src/kernel/event.js';
import { ManualClock } from '../../support/clock.js';
import { StripeServer } from '../../support/stripe-server.js';

let server: StripeServer;
let stripe: StripeGateway;
let payments = 0;
beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await StripeServer.start();
  const account = { secretKey: 'sk_test_1', apiBase: server.url, timeoutMs: 2_000 };
  stripe = new StripeGateway(await createStripeClient(account), new ManualClock());
});
afterAll(() => server.stop());

const route = (mode: Mode | null) => new RoutingGateway(new SimulatedGateway(), mode && { gateway: stripe, mode });

function toCharge(mode: Mode, token: string) {
  const reference = `pay_routed${++payments}`;
  return { key: `${reference}:${token}`, amountCents: 100, currency: 'EUR', methodToken: token, reference, mode };
}

describe('The choice of the gateway', () => {
  it.each([
    [null, 'live', 'simulated', 'tok_ok', 'succeeded'],
    [null, 'test', 'simulated', 'pm_card_visa', 'declined'],
    ['live', 'live', 'stripe', 'pm_card_visa', 'succeeded'],
    ['live', 'live', 'stripe', 'tok_ok', 'declined'],
    ['live', 'test', 'simulated', 'tok_ok', 'succeeded'],
    ['test', 'test', 'stripe', 'pm_card_visa', 'succeeded'],
    ['test', 'live', 'none', 'tok_ok', 'declined'],
    ['test', 'live', 'none', 'pm_card_visa', 'declined'],
  ] as const)('with a %s key charges %s sales by %s: %s %s', async (key, mode, name, token, status) => {
    expect(route(key).getName(mode)).toBe(name);
    expect(route(key).acceptsMethod(token, mode)).toBe(status === 'succeeded');
    expect(await route(key).charge(toCharge(mode, token))).toMatchObject({ status });
  });

  it.each([
    [null, 'live', false],
    ['live', 'live', true],
    ['live', 'test', false],
    ['test', 'live', false],
    ['test', 'test', false],
  ] as const)('with a %s key moves money in %s mode: %s', (key, mode, moves) =>
    expect(route(key).movesMoney(mode)).toBe(moves),
  );

  it('asks the gateway that made a charge, also when new charges go to another one', async () => {
    const [early, late] = [toCharge('live', 'tok_pending'), toCharge('live', 'pm_card_visa')];
    await route(null).charge(early);
    await route('live').charge(late);

    expect(await route('live').getStatus(early.key)).toMatchObject({ status: 'succeeded' });
    expect(await route('live').getStatus(late.key)).toMatchObject({ status: 'succeeded' });
    expect(await route('live').cancel(early.key)).toMatchObject({ status: 'declined', code: 'canceled' });
    expect(await route('live').cancel(late.key)).toMatchObject({ status: 'succeeded' });
  });

  it('does not know the results of Stripe without an account', async () => {
    const { key, amountCents, currency } = toCharge('live', 'pm_card_visa');
    const refund = { key: 'ref_1', chargeKey: key, gatewayReference: 'pi_1', amountCents, currency };

    expect(await route(null).getStatus(key)).toEqual({ status: 'unknown' });
    expect(await route(null).cancel(key)).toEqual({ status: 'unknown' });
    expect(await route(null).refund(refund)).toEqual({ status: 'unknown' });
    expect(await route(null).getRefundStatus(refund)).toEqual({ status: 'unknown' });
  });
});
