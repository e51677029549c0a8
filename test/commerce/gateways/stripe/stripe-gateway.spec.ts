import { Logger } from '@nestjs/common';
import { createStripeClient } from '../../../../src/commerce/gateways/stripe/stripe-client.js';
import { StripeGateway } from '../../../../src/commerce/gateways/stripe/stripe-gateway.js';
import type { ChargeRequest, RefundRequest } from '../../../../src/commerce/payment-gateway.js';
import { toIso } from '../../../../src/kernel/clock.js';
import { describePaymentGateway } from '../../../contracts/payment-gateway.contract.js';
import { ManualClock } from '../../../support/clock.js';
import { type ResponseFault, StripeServer } from '../../../support/stripe-server.js';

const HOUR_MS = 3_600_000;

let server: StripeServer;
let clock: ManualClock;
let payments = 0;
beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await StripeServer.start();
  clock = new ManualClock(Date.now());
});
afterAll(() => server.stop());
beforeEach(() => {
  server.isSearchLate = false;
  server.hasNoSearch = false;
});

/** A request that is never answered takes the whole timeout. */
const SILENCE_MS = 1_000;

async function open(fault?: ResponseFault): Promise<StripeGateway> {
  const timeoutMs = fault === 'silence' ? SILENCE_MS : 10_000;
  const account = { secretKey: 'sk_test_1', apiBase: server.url, timeoutMs };
  return new StripeGateway(await createStripeClient(account), clock);
}

describePaymentGateway('stripe', () => open(), {
  succeeds: 'pm_card_visa',
  declined: 'pm_card_chargeDeclined',
  hardDeclined: 'pm_card_chargeDeclinedLostCard',
  unknown: 'pm_none',
  pending: 'pm_processing',
  refundDeclined: 'pm_card_refundFail',
});

function toCharge(token = 'pm_card_visa', more: Partial<ChargeRequest> = {}): ChargeRequest {
  const reference = `pay_stripe${++payments}`;
  const startedAt = toIso(clock.now());
  const key = `${reference}:${token}`;
  return { key, amountCents: 2500, currency: 'EUR', methodToken: token, reference, mode: 'test', startedAt, ...more };
}

describe('A charge by Stripe', () => {
  it.each([
    ['pm_card_chargeDeclined', 'card_declined', false],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds', false],
    ['pm_card_chargeDeclinedLostCard', 'lost_card', true],
    ['pm_card_chargeDeclinedStolenCard', 'stolen_card', true],
    ['pm_card_chargeDeclinedFraudulent', 'fraudulent', true],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', true],
    ['pm_card_chargeDeclinedNoRetry', 'do_not_honor', true],
    ['pm_none', 'payment_method_invalid', true],
    ["tok_ok'", 'payment_method_invalid', true],
  ])('with %s is declined with %s', async (token, code, hard) => {
    expect(await (await open()).charge(toCharge(token))).toMatchObject({ status: 'declined', code, hard });
  });

  it('that the buyer has to confirm is pending, and is cancelled after a day', async () => {
    const [gateway, request] = [await open(), toCharge('pm_card_authenticationRequired')];

    expect(await gateway.charge(request)).toEqual({ status: 'pending' });
    expect(await gateway.getStatus(request.key)).toEqual({ status: 'pending' });
    server.changeIntent(request.reference, { created: Math.floor(clock.now() / 1000) - 86_400 });
    expect(await gateway.getStatus(request.key)).toMatchObject({ status: 'declined', code: 'authentication_required' });
    expect(server.findIntent(request.reference).status).toBe('canceled');
  });

  it('that the buyer has not confirmed can be cancelled', async () => {
    const [gateway, request] = [await open(), toCharge('pm_card_authenticationRequired')];
    await gateway.charge(request);

    expect(await gateway.cancel(request.key)).toMatchObject({ status: 'declined', code: 'canceled' });
    expect(server.findIntent(request.reference).status).toBe('canceled');
  });

  it.each(['silence', 'cut', 'error'] as const)('is sent once and found again after %s', async (fault) => {
    const [gateway, request] = [await open(fault), toCharge()];
    server.failNext('POST /v1/payment_intents', fault);
    const before = server.requests.length;

    expect(await gateway.charge(request)).toEqual({ status: 'unknown' });
    expect(server.requests.slice(before).filter((route) => route === 'POST /v1/payment_intents')).toHaveLength(1);
    expect(await gateway.getStatus(request.key)).toMatchObject({ status: 'succeeded' });
    expect(await gateway.charge(request)).toMatchObject({ status: 'succeeded' });
    expect(server.countIntents(request.reference)).toBe(1);
  });

  it('is unknown while it may still arrive, and declined when it never did', async () => {
    const [gateway, request] = [await open(), toCharge('pm_card_visa', { reference: 'pay_lost' })];
    server.failNext('GET /v1/payment_methods/pm_card_visa', 'cut');

    expect(await gateway.charge(request)).toEqual({ status: 'unknown' });
    expect(await gateway.getStatus(request.key, request.startedAt)).toEqual({ status: 'unknown' });
    await clock.advance(HOUR_MS);
    expect(await gateway.getStatus(request.key, request.startedAt)).toMatchObject({ code: 'charge_not_found' });
  });

  it.each(['isSearchLate', 'hasNoSearch'] as const)(
    'is found in the list when the search does not show it: %s',
    async (fault) => {
      const [gateway, request] = [await open(), toCharge('pm_card_visa', { startedAt: toIso(Date.now()) })];
      await gateway.charge(request);
      server[fault] = true;

      await clock.advance(2 * HOUR_MS);
      expect(await gateway.getStatus(request.key, request.startedAt)).toMatchObject({ status: 'succeeded' });
    },
  );

  it('is never made again when Stripe has forgotten its key', async () => {
    const [gateway, request] = [await open(), toCharge('pm_card_visa', { startedAt: toIso(Date.now()) })];
    await gateway.charge(request);
    server.forgetKeys();
    await clock.advance(24 * HOUR_MS);

    expect(await gateway.charge(request)).toMatchObject({ status: 'succeeded' });
    expect(server.countIntents(request.reference)).toBe(1);
  });

  it('is unknown while Stripe cannot be reached', async () => {
    const client = await createStripeClient({
      secretKey: 'sk_test_1',
      apiBase: 'http://127.0.0.1:1',
      timeoutMs: 10_000,
    });
    const gateway = new StripeGateway(client, clock);

    expect(await gateway.charge(toCharge())).toEqual({ status: 'unknown' });
    expect(await gateway.getStatus('pay_1:pm_card_visa', toIso(0))).toEqual({ status: 'unknown' });
  });

  it.each([
    ['EUR', 2500, '2500'],
    ['JPY', 2500, '2500'],
    ['ISK', 2500, '250000'],
    ['MGA', 2500, '25'],
    ['KWD', 5120, '5120'],
  ])('in %s is in the units of Stripe', async (currency, amountCents, amount) => {
    await (await open()).charge(toCharge('pm_card_visa', { currency, amountCents }));
    expect(server.sent.at(-1)).toMatchObject({ amount, currency: currency.toLowerCase() });
  });

  it.each([
    ['KWD', 5125, 10],
    ['TND', 1, 10],
    ['MGA', 2550, 100],
  ])('in %s is not sent with an amount that Stripe does not take', async (currency, amountCents, step) => {
    const gateway = await open();
    const before = server.requests.length;
    expect(await gateway.charge(toCharge('pm_card_visa', { currency, amountCents }))).toMatchObject({
      status: 'declined',
      code: 'amount_not_supported',
    });
    expect([server.requests.length, gateway.getAmountStep(currency)]).toEqual([before, step]);
  });

  it('keeps the method for renewals, which say that the buyer is not present', async () => {
    const gateway = await open();
    const request = toCharge();
    await gateway.charge(request);
    expect(server.sent.at(-1)).toMatchObject({ setup_future_usage: 'off_session', confirm: 'true' });
    const renewal = toCharge('pm_card_mastercard');
    await gateway.charge({ ...renewal, key: `renewal:${renewal.key}` });
    expect(server.sent.at(-1)).toMatchObject({ off_session: 'true', 'metadata[payment_id]': renewal.reference });
    expect(server.requests.at(-2)).toBe('POST /v1/payment_methods/pm_card_mastercard/attach');
    expect(server.sent.at(-1)!.customer).toBe(server.sent.at(-2)!.customer);
    const next = toCharge('pm_card_mastercard');
    await gateway.charge({ ...next, key: `renewal:${next.key}` });
    expect(server.requests.at(-2)).toBe('GET /v1/payment_methods/pm_card_mastercard');
    expect(await gateway.getStatus(`renewal:${renewal.key}`)).toMatchObject({ status: 'succeeded' });
  });
});

describe('A refund by Stripe', () => {
  async function createRefund(): Promise<RefundRequest> {
    const request = toCharge();
    const charge = await (await open()).charge(request);
    if (charge.status !== 'succeeded') throw new Error(charge.status);
    const { key: chargeKey, amountCents, currency, reference } = request;
    return { key: `ref_${reference}`, chargeKey, gatewayReference: charge.reference, amountCents, currency };
  }

  it.each(['silence', 'cut', 'error'] as const)('is made once after %s', async (fault) => {
    const [gateway, request] = [await open(fault), await createRefund()];
    server.failNext('POST /v1/refunds', fault);

    expect(await gateway.refund(request)).toEqual({ status: 'unknown' });
    server.forgetKeys();
    const made = { status: 'succeeded', reference: server.findRefund(request.key).id };
    expect(await gateway.getRefundStatus(request)).toEqual(made);
    expect(await gateway.refund(request)).toEqual(made);
  });

  it('is declined for an unknown charge', async () => {
    const request = { ...(await createRefund()), gatewayReference: 'pi_none' };
    expect(await (await open()).refund(request)).toMatchObject({ status: 'declined', code: 'resource_missing' });
  });
});
