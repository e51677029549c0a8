import { SimulatedGateway } from '../../../src/commerce/gateways/simulated-gateway.js';
import { describePaymentGateway } from '../../contracts/payment-gateway.contract.js';

describePaymentGateway('simulated', () => new SimulatedGateway(), {
  succeeds: 'tok_ok',
  declined: 'tok_declined',
  hardDeclined: 'tok_lost_card',
  unknown: 'tok_none',
  pending: 'tok_pending',
  refundDeclined: 'tok_refund_declined',
});

const gateway = new SimulatedGateway();
const charge = (token: string) =>
  gateway.charge({
    key: `pay_1:${token}`,
    amountCents: 100,
    currency: 'EUR',
    methodToken: token,
    reference: 'pay_1',
    mode: 'live',
  });

describe('The simulated gateway', () => {
  it.each([
    ['tok_ok', 'succeeded'],
    ['tok_fail_on_renewal', 'succeeded'],
    ['tok_refund_declined', 'succeeded'],
    ['tok_disputed', 'succeeded'],
    ['tok_declined', 'declined'],
    ['tok_insufficient_funds', 'declined'],
    ['tok_lost_card', 'declined'],
    ['tok_pending', 'pending'],
    ['tok_timeout', 'unknown'],
    ['constructor', 'declined'],
    ['x:tok_ok', 'declined'],
  ])('answers a charge of %s with %s', async (token, status) => expect((await charge(token)).status).toBe(status));

  it('returns the same result for the same key in every instance', async () => {
    expect(await charge('tok_ok')).toEqual(await new SimulatedGateway().getStatus('pay_1:tok_ok'));
    expect(await charge('tok_declined')).toEqual(await gateway.getStatus('pay_1:tok_declined'));
  });

  it('settles an unsettled charge at the first status check', async () => {
    for (const token of ['tok_pending', 'tok_timeout'])
      expect((await gateway.getStatus(`pay_1:${token}`)).status).toBe('succeeded');
  });

  it('returns unknown for the refund of a charge whose response was lost, then succeeds', async () => {
    const refund = { key: 'ref_1', chargeKey: 'pay_1:tok_timeout', gatewayReference: 'sim_1' };
    const request = { ...refund, amountCents: 100, currency: 'EUR' };

    expect(await gateway.refund(request)).toEqual({ status: 'unknown' });
    expect((await gateway.getRefundStatus(request)).status).toBe('succeeded');
  });

  it('declines a card that fails on renewals only after the initial charge', async () => {
    expect(await gateway.getStatus('renewal:pay_1:tok_fail_on_renewal')).toMatchObject({
      status: 'declined',
      hard: false,
    });
    expect(await gateway.getStatus('renewal:pay_1:tok_ok')).toMatchObject({ status: 'succeeded' });
  });

  it('declines a lost card permanently', async () =>
    expect(await charge('tok_lost_card')).toMatchObject({ code: 'lost_card', hard: true }));
});
