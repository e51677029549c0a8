import { orderDecider, type OrderEvent, type PlacedOrder } from '../../../src/commerce/domain/order.js';
import type { Sale } from '../../../src/commerce/domain/sale.js';
import { given } from '../../support/given.js';
import { ada, EARLIER, line, monthly, NOW } from './facts.js';

const club = { ...line, lineId: 'cl_2', productId: 'prod_2', terms: monthly };
const spring = { discountId: 'dsc_1', code: 'Spring', percentOff: 0, duration: 'once', months: null } as const;
const common = {
  orderId: 'ord_1',
  cartId: 'cart_1',
  businessId: 'biz_1',
  currency: 'EUR',
  buyer: ada,
  discount: spring,
  metadata: {},
  externalReference: null,
  redirectUrl: null,
  subtotalCents: 5000,
  discountCents: 0,
  taxCents: 0,
  totalCents: 5000,
  methodToken: 'tok_ok',
};
const sale: Sale = { ...common, lines: [line, club] };

const placedData: PlacedOrder = {
  ...common,
  livemode: true,
  lines: [
    { ...line, lineId: 'li_1', subscriptionId: null },
    { ...club, lineId: 'li_2', subscriptionId: 'ps_3' },
  ],
  paymentId: 'pay_4',
  invoiceId: 'inv_5',
  at: NOW,
};
const placed: OrderEvent = { type: 'OrderPlaced', data: { ...placedData, at: EARLIER } };
const completed: OrderEvent = {
  type: 'OrderCompleted',
  data: {
    orderId: 'ord_1',
    businessId: 'biz_1',
    buyer: ada,
    discountId: 'dsc_1',
    productIds: ['prod_1', 'prod_2'],
    paymentId: 'pay_4',
    invoiceId: 'inv_5',
    subscriptions: [{ lineId: 'li_2', subscriptionId: 'ps_3' }],
    installments: {},
    at: NOW,
  },
};
const failed: OrderEvent = { type: 'OrderFailed', data: { orderId: 'ord_1', paymentId: 'pay_4', at: NOW } };

const place = { type: 'PlaceOrder', sale, livemode: true } as const;
const complete = { type: 'CompleteOrder', paidAt: EARLIER } as const;

describe('An order', () => {
  it('contains the ids of its payment, invoice and subscriptions when it is placed', () =>
    given(orderDecider).when(place).then({ type: 'OrderPlaced', data: placedData }));

  it('has no payment when nothing is due', () =>
    given(orderDecider)
      .when({ ...place, sale: { ...sale, lines: [line], totalCents: 0, methodToken: null } })
      .then({
        type: 'OrderPlaced',
        data: {
          ...placedData,
          lines: [placedData.lines[0]!],
          totalCents: 0,
          methodToken: null,
          paymentId: null,
          invoiceId: 'inv_2',
        },
      }));

  it('is placed once', () => given(orderDecider, placed).when(place).thenNothing());

  it('is completed once, with its payment, invoice and subscriptions', () => {
    given(orderDecider, placed).when(complete).then(completed);
    given(orderDecider, placed, completed).when(complete).thenNothing();
  });

  it('fails once and never changes its final status', () => {
    given(orderDecider, placed).when({ type: 'FailOrder' }).then(failed);
    given(orderDecider, placed, failed).when({ type: 'FailOrder' }).thenNothing();
    given(orderDecider, placed, failed).when(complete).thenNothing();
    given(orderDecider, placed, completed).when({ type: 'FailOrder' }).thenNothing();
  });

  it('refuses an end before it is placed', () => given(orderDecider).when(complete).thenRejects('not_found'));
});
