import { createStripeClient } from '../../../../src/commerce/gateways/stripe/stripe-client.js';
import { StripeGateway } from '../../../../src/commerce/gateways/stripe/stripe-gateway.js';
import { SystemClock } from '../../../../src/kernel/clock.js';
import { describeContract, skipContract } from '../../../contracts/contract.js';
import { findStripeMock, startStripeMock } from '../../../support/stripe-mock.js';

const NAME = 'The requests to stripe-mock';
const METHOD = 'pm_card_visa';
/** Every payment intent of stripe-mock waits for a method, and a refused request would have another code. */
const ACCEPTED = { status: 'declined', code: 'card_declined' };

const program = findStripeMock();
if (program === null) skipContract(NAME, 'there is no stripe-mock: go install github.com/stripe/stripe-mock@v0.203.0');
else
  describeContract(NAME, () => {
    let gateway: StripeGateway;
    beforeAll(async () => {
      const account = { secretKey: 'sk_test_1', apiBase: await startStripeMock(program), timeoutMs: 5_000 };
      gateway = new StripeGateway(await createStripeClient(account), new SystemClock());
    });

    it.each(['', 'renewal:'])('charge with the key %spay_1', async (prefix) => {
      const amounts = { amountCents: 2500, currency: 'EUR', methodToken: METHOD, reference: 'pay_1' };
      expect(await gateway.charge({ key: `${prefix}pay_1:${METHOD}`, ...amounts, mode: 'test' })).toMatchObject(
        ACCEPTED,
      );
    });

    it('find a charge', async () => expect(await gateway.getStatus(`pay_1:${METHOD}`)).toMatchObject(ACCEPTED));

    it('refund a charge', async () => {
      const request = { key: 'ref_1', chargeKey: `pay_1:${METHOD}`, gatewayReference: 'pi_1' };
      const result = await gateway.refund({ ...request, amountCents: 100, currency: 'EUR' });
      expect(result).toMatchObject({ status: 'succeeded' });
    });
  });
