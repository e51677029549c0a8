import { buyers } from '../../../src/commerce/projections/buyers.js';
import type { Fact } from '../../../src/kernel/event.js';
import { ada, EARLIER, NOW } from '../domain/facts.js';
import { renderRecorded } from './recorded-from.js';

const named = { ...ada, name: { box: 'name', hash: 'name' } };

function paid(currency: string, netCents: number, buyer: object = ada, at = EARLIER): Fact {
  return { type: 'PaymentSucceeded', data: { businessId: 'biz_1', buyer, currency, feeCents: 100, netCents, at } };
}

function ordered(at: string, buyer: object = ada): Fact {
  return { type: 'OrderCompleted', data: { businessId: 'biz_1', buyer, at } };
}

describe('The document of a buyer', () => {
  it('begins with the first payment, or with an order of which nothing is due', () => {
    const empty = { orders_count: 0, first_order_at: null, last_order_at: null, spent: [] };
    expect(renderRecorded(buyers, 'buy_1', paid('EUR', 900))).toEqual({
      id: 'buy_1',
      object: 'buyer',
      business: { object: 'business', id: 'biz_1' },
      created_at: EARLIER,
      email: ada.email,
      name: null,
      ...empty,
      subscriptions_count: 0,
      spent: [{ currency: 'EUR', amount_cents: 1000, refunded_cents: 0 }],
    });
    expect(renderRecorded(buyers, 'buy_1', ordered(NOW))).toMatchObject({ created_at: NOW, spent: [] });
  });

  it('sums the payments of each currency', () =>
    expect(renderRecorded(buyers, 'buy_1', paid('EUR', 900), paid('USD', 400), paid('EUR', 100))).toMatchObject({
      spent: [
        { currency: 'EUR', amount_cents: 1200 },
        { currency: 'USD', amount_cents: 500 },
      ],
    }));

  it('has the times of the first and the last order', () =>
    expect(renderRecorded(buyers, 'buy_1', ordered(EARLIER), ordered(NOW))).toMatchObject({
      orders_count: 2,
      first_order_at: EARLIER,
      last_order_at: NOW,
    }));

  it('keeps the latest name', () =>
    expect(renderRecorded(buyers, 'buy_1', ordered(EARLIER), ordered(NOW, named), ordered(NOW))).toMatchObject({
      name: named.name,
    }));
});
