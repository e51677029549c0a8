import { SimulatedGateway } from '../../src/commerce/simulated-gateway.js';

const gateway = new SimulatedGateway();
const charge = (token: string) =>
  gateway.charge({ key: `pay_1:${token}`, amountCents: 100, currency: 'EUR', methodToken: token, reference: 'pay_1' });

describe('The simulated gateway', () => {
  it.each([
    ['tok_ok', 'succeeded'],
    ['tok_fail_on_renewal', 'succeeded'],
    ['tok_refund_declined', 'succeeded'],
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

  it('declines a lost card permanently', async () =>
    expect(await charge('tok_lost_card')).toMatchObject({ code: 'lost_card', hard: true }));
});
