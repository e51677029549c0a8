import type { OrderEvent } from '../../../src/commerce/domain/order.js';
import { orders } from '../../../src/commerce/projections/orders.js';
import { ada, EARLIER, line, monthly, NOW } from '../domain/facts.js';
import { renderRecorded } from './recorded-from.js';

const placed: OrderEvent = {
  type: 'OrderPlaced',
  data: {
    orderId: 'ord_1',
    cartId: 'cart_1',
    businessId: 'biz_1',
    currency: 'EUR',
    buyer: ada,
    metadata: { campaign: 'spring' },
    externalReference: 'ref-1',
    redirectUrl: null,
    lines: [
      { ...line, lineId: 'li_1', subscriptionId: null },
      { ...line, lineId: 'li_2', planId: 'plan_2', terms: monthly, subscriptionId: 'ps_1' },
    ],
    subtotalCents: 5000,
    discountCents: 0,
    taxCents: 0,
    totalCents: 5000,
    methodToken: 'tok_ok',
    paymentId: 'pay_1',
    invoiceId: 'inv_1',
    at: EARLIER,
  },
};
const completed: OrderEvent = {
  type: 'OrderCompleted',
  data: {
    orderId: 'ord_1',
    paymentId: 'pay_1',
    invoiceId: 'inv_1',
    subscriptions: [{ lineId: 'li_2', subscriptionId: 'ps_1' }],
    at: NOW,
  },
};

const item = {
  object: 'line_item',
  product: { object: 'product', id: 'prod_1' },
  name: 'A course',
  quantity: 1,
  unit_amount_cents: 2500,
  discount_amount_cents: 0,
  tax_amount_cents: 0,
  amount_cents: 2500,
  currency: 'EUR',
};
const course = { ...item, id: 'li_1', plan: { object: 'payment_plan', id: 'plan_1' }, kind: 'one_time' };
const club = { ...item, id: 'li_2', plan: { object: 'payment_plan', id: 'plan_2' }, kind: 'subscription' };
const pending = {
  id: 'ord_1',
  object: 'order',
  business: { object: 'business', id: 'biz_1' },
  created_at: EARLIER,
  status: 'pending',
  livemode: false,
  buyer: { object: 'buyer', ...ada },
  line_items: [course, club],
  subtotal_amount_cents: 5000,
  discount_amount_cents: 0,
  tax_amount_cents: 0,
  total_amount_cents: 5000,
  refunded_amount_cents: 0,
  refund_status: 'none',
  currency: 'EUR',
  payments: [{ object: 'payment', id: 'pay_1' }],
  installments: null,
  invoice: null,
  offer: null,
  cart: { object: 'cart', id: 'cart_1' },
  metadata: { campaign: 'spring' },
  external_reference: 'ref-1',
  completed_at: null,
};

describe('The document of an order', () => {
  it('is pending without invoice and subscriptions before the payment', () =>
    expect(renderRecorded(orders, 'ord_1', placed)).toEqual(pending));

  it('contains the invoice and the subscriptions after completion', () =>
    expect(renderRecorded(orders, 'ord_1', placed, completed)).toEqual({
      ...pending,
      status: 'completed',
      line_items: [course, { ...club, subscription: { object: 'subscription', id: 'ps_1' } }],
      invoice: { object: 'invoice', id: 'inv_1' },
      completed_at: NOW,
    }));

  it('keeps the failed payment', () =>
    expect(
      renderRecorded(orders, 'ord_1', placed, {
        type: 'OrderFailed',
        data: { orderId: 'ord_1', paymentId: 'pay_1', at: NOW },
      }),
    ).toEqual({
      ...pending,
      status: 'failed',
    }));

  it('says whether its payments move money', () => {
    const live = { ...placed, data: { ...placed.data, livemode: true } } as OrderEvent;
    expect(renderRecorded(orders, 'ord_1', live)).toEqual({ ...pending, livemode: true });
  });
});
