/*
 * The table of test tokens is generated from the simulated gateway. After a change of it, run:
 *   WRITE_DOCS=1 npm test -- test/docs
 */
import { join } from 'node:path';
import { type ChargeResult, LATER_CHARGE } from '../../src/commerce/domain/charge.js';
import type { RefundResult } from '../../src/commerce/domain/refund-result.js';
import { SimulatedGateway, TEST_TOKENS } from '../../src/commerce/gateways/simulated-gateway.js';
import { expectSection, toTable } from './generated-section.js';

const GUIDE = join(import.meta.dirname, '../../docs/guides/test-payments.md');
const AMOUNT = { amountCents: 900, currency: 'EUR' } as const;

const gateway = new SimulatedGateway();

const charge = (token: string, prefix = '') =>
  gateway.charge({
    ...AMOUNT,
    key: `${prefix}pay_1:${token}`,
    methodToken: token,
    reference: 'pay_1',
    mode: 'test',
  });

const refund = (token: string) =>
  gateway.refund({ ...AMOUNT, key: 'ref_1', chargeKey: `pay_1:${token}`, gatewayReference: 'sim_1' });

async function describeToken(token: string): Promise<readonly string[]> {
  const checkout = await charge(token);
  const renewal = await charge(token, LATER_CHARGE);
  const refunded = checkout.status === 'declined' ? '–' : describeResult(await refund(token));
  const settled = await gateway.getStatus(`pay_1:${token}`);
  const last4 = 'method' in settled ? (settled.method?.last4 ?? '–') : '–';
  const later = settled.status === 'succeeded' && settled.isDisputed ? 'disputed' : '–';
  return [`\`${token}\``, last4, describeResult(checkout), describeResult(renewal), refunded, later];
}

function describeResult(result: ChargeResult | RefundResult): string {
  if (result.status !== 'declined') return result.status === 'succeeded' ? 'succeeds' : result.status;
  const isFinal = 'hard' in result && result.hard;
  return `${isFinal ? 'final decline' : 'declined'}, \`${result.code}\``;
}

describe('The guide to test payments', () => {
  it('lists what each test token does', async () => {
    const head = ['token', 'card', 'at the checkout', 'at a renewal', 'a refund', 'a day later'];
    await expectSection(GUIDE, 'tokens', toTable(head, await Promise.all(TEST_TOKENS.map(describeToken))));
  });
});
