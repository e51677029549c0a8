import { MoneyFixture } from '../../commerce/money-fixture.js';
import { findMoneyErrors } from './money.js';

describe('The check of money', () => {
  let fixture: MoneyFixture;
  beforeAll(async () => {
    fixture = new MoneyFixture();
    await fixture.run([{ do: 'sell', token: 'tok_ok' }], null);
    await fixture.run([{ do: 'refund', payment: 0, share: 0.5, retry: false }], null);
    await fixture.run([{ do: 'sell', token: 'tok_ok' }], null);
  });

  it('accepts a log that conserves money', () => expect(findMoneyErrors(fixture.shop.store.log)).toEqual([]));

  it('finds a refund that the balance does not have', () => {
    const log = fixture.shop.store.log.filter(({ type }) => type !== 'RefundReserved');
    expect(findMoneyErrors(log)).toEqual([
      'balance biz_1-test-EUR: amount is 14356, expected 10656',
      'balance biz_1-test-EUR: fees is 0, expected 222',
      'balance biz_1-test-EUR: shown amount is 10656, expected 14356',
    ]);
  });

  it('finds a missing invoice number', () => {
    const [first] = fixture.shop.store.log.filter(({ type }) => type === 'InvoiceIssued');
    const log = fixture.shop.store.log.map((event) =>
      event === first ? { ...event, data: { ...event.data, number: '2026-000003' } } : event,
    );
    expect(findMoneyErrors(log)).toEqual(['invoices of biz_1 test 2026: numbers is 2,3, expected 1,2']);
  });
});
