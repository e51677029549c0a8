import { randomUUID } from 'node:crypto';
import type { ChargeResult } from '../../src/commerce/domain/charge.js';
import type { ChargeRequest, PaymentGateway, RefundRequest } from '../../src/commerce/payment-gateway.js';
import { describeContract } from './contract.js';

/** The method tokens of a gateway by what becomes of their charges and refunds; null when no token does this. */
export interface GatewayTokens {
  readonly succeeds: string;
  readonly declined: string;
  readonly hardDeclined: string | null;
  readonly unknown: string;
  /** Its charges and refunds are pending until the first status check. */
  readonly pending: string | null;
  readonly refundDeclined: string | null;
}

const AMOUNT_CENTS = 10_000;

/** @param open returns another instance over the same accounts at every call */
export function describePaymentGateway(
  name: string,
  open: () => PaymentGateway | Promise<PaymentGateway>,
  tokens: GatewayTokens,
): void {
  let gateway: PaymentGateway;
  beforeAll(async () => {
    gateway = await open();
  });
  const itWith = (token: string | null) => (token === null ? it.skip : it);

  describeContract(`The payment gateway ${name}`, () => {
    it('charges a method', async () => {
      expect(await gateway.charge(toCharge(tokens.succeeds))).toEqual({
        status: 'succeeded',
        reference: expect.stringMatching(/./),
        method: { type: 'card', brand: 'visa', last4: '4242' },
      });
    });

    it('declines a charge with a code', async () => {
      expect(await gateway.charge(toCharge(tokens.declined))).toMatchObject({
        status: 'declined',
        code: 'card_declined',
        hard: false,
      });
    });

    itWith(tokens.hardDeclined)('says that a decline is permanent', async () => {
      expect(await gateway.charge(toCharge(tokens.hardDeclined!))).toMatchObject({ status: 'declined', hard: true });
    });

    it('declines an unknown method', async () => {
      expect(await gateway.charge(toCharge(tokens.unknown))).toMatchObject({ status: 'declined', method: null });
    });

    it('returns the same result of a charge to every instance', async () => {
      const request = toCharge(tokens.succeeds);
      const first = await gateway.charge(request);

      expect(await (await open()).charge(request)).toEqual(first);
      expect(await (await open()).getStatus(request.key)).toEqual(first);
    });

    it('leaves a charge that was made as it is, when it is asked to cancel it', async () => {
      const request = toCharge(tokens.succeeds);
      const first = await gateway.charge(request);

      expect(await gateway.cancel(request.key)).toEqual(first);
      expect(await gateway.getStatus(request.key)).toEqual(first);
    });

    it('refunds a charge in parts', async () => {
      const charge = await chargeWith(tokens.succeeds);
      const [first, second] = [toRefund(charge, 6_000), toRefund(charge, 4_000)];
      const results = [await gateway.refund(first), await gateway.refund(second)];

      expect(results).toEqual([succeeded, succeeded]);
      expect(results[0]).not.toEqual(results[1]);
    });

    it('returns the same result of a refund to every instance', async () => {
      const request = toRefund(await chargeWith(tokens.succeeds), AMOUNT_CENTS);
      const first = await gateway.refund(request);

      expect(await (await open()).refund(request)).toEqual(first);
      expect(await (await open()).getRefundStatus(request)).toEqual(first);
    });

    itWith(tokens.refundDeclined)('declines a refund with a code, also when its status is checked', async () => {
      const request = toRefund(await chargeWith(tokens.refundDeclined!), AMOUNT_CENTS);
      const declined = { status: 'declined', code: expect.any(String), detail: expect.any(String) };

      expect(await gateway.refund(request)).toEqual(declined);
      expect(await gateway.getRefundStatus(request)).toEqual(declined);
    });

    itWith(tokens.pending)('settles a pending charge and its refund later', async () => {
      const request = toCharge(tokens.pending!);
      expect(await gateway.charge(request)).toEqual({ status: 'pending' });
      const refund = toRefund({ request, result: await gateway.getStatus(request.key) }, AMOUNT_CENTS);

      expect(await gateway.refund(refund)).toEqual({ status: 'pending' });
      expect(await gateway.getRefundStatus(refund)).toEqual(succeeded);
    });
  });

  async function chargeWith(token: string): Promise<{ request: ChargeRequest; result: ChargeResult }> {
    const request = toCharge(token);
    return { request, result: await gateway.charge(request) };
  }
}

const succeeded = { status: 'succeeded', reference: expect.stringMatching(/./) };

function toCharge(token: string): ChargeRequest {
  const reference = `pay_${randomUUID()}`;
  return {
    key: `${reference}:${token}`,
    amountCents: AMOUNT_CENTS,
    currency: 'EUR',
    methodToken: token,
    reference,
    mode: 'test',
  };
}

function toRefund(charge: { request: ChargeRequest; result: ChargeResult }, amountCents: number): RefundRequest {
  if (charge.result.status !== 'succeeded') throw new Error(`The charge is ${charge.result.status}`);
  const { key: chargeKey, currency } = charge.request;
  const gatewayReference = charge.result.reference;
  return { key: `ref_${randomUUID()}`, chargeKey, gatewayReference, amountCents, currency };
}
