import { cartDecider } from '../../../src/commerce/domain/cart.js';
import type { CartEvent } from '../../../src/commerce/domain/cart-state.js';
import { MAX_CENTS } from '../../../src/commerce/domain/money.js';
import type { KnownProduct } from '../../../src/commerce/domain/product.js';
import { given } from '../../support/given.js';
import { ada, cartCreated, clubPlan, course, IN_7_DAYS, line, lineAdded, NOW, once, plan } from './facts.js';

const change = { cartId: 'cart_1', at: NOW, expiresAt: IN_7_DAYS };
const add = (product: KnownProduct, planId: string | null = null, quantity = 1) =>
  ({ type: 'AddLine', product, planId, quantity }) as const;
const checkOut = {
  type: 'CheckOut',
  orderId: 'ord_1',
  buyer: null,
  methodToken: 'tok_ok',
  products: [course],
  discount: null,
  offer: null,
} as const;

const sale = {
  orderId: 'ord_1',
  cartId: 'cart_1',
  businessId: 'biz_1',
  currency: 'EUR',
  buyer: ada,
  discount: null,
  metadata: { campaign: 'spring' },
  externalReference: null,
  redirectUrl: null,
  lines: [{ ...line, discountCents: 0 }],
  subtotalCents: 2500,
  discountCents: 0,
  taxCents: 0,
  totalCents: 2500,
  methodToken: 'tok_ok',
};
const checkedOut: CartEvent = { type: 'CartCheckedOut', data: { ...sale, at: NOW } };

describe('An open cart', () => {
  const cartWith = (...events: readonly CartEvent[]) => given(cartDecider, cartCreated, ...events);

  it('adds a line at the price of the plan', () =>
    cartWith()
      .when(add(course, null, 3))
      .then({ type: 'LineAdded', data: { ...change, line: { ...line, quantity: 3, amountCents: 7500 } } }));

  it('adds a line with the requested plan', () =>
    cartWith()
      .when(add({ ...course, plans: [clubPlan, plan] }, 'plan_1'))
      .then({ type: 'LineAdded', data: { ...change, line } }));

  it.each([
    ['pending_approval', { ...course, approval: 'review', status: 'inactive' }],
    ['pending_approval', { ...course, approval: 'denied' }],
    ['pending_approval', { ...course, approval: 'denied_changed', plans: [] }],
    ['inactive', { ...course, status: 'inactive', plans: [] }],
    ['no_active_plan', { ...course, plans: [{ ...plan, status: 'archived' }] }],
  ] as const)('refuses a product that cannot be bought: %s', (reason, product) =>
    cartWith().when(add(product)).thenRejects('not_saleable', 'product_id', { block_reason: reason }),
  );

  it('refuses a plan of another product and an archived plan', () => {
    cartWith().when(add(course, 'plan_2')).thenRejects('plan_not_available', 'plan_id');
    cartWith()
      .when(add({ ...course, plans: [plan, { ...clubPlan, status: 'archived' }] }, 'plan_2'))
      .thenRejects('plan_not_available', 'plan_id');
  });

  it('refuses a line in a second currency', () =>
    cartWith(lineAdded)
      .when(add({ ...course, plans: [{ ...plan, currency: 'USD' }] }))
      .thenRejects('currency_mismatch', 'plan_id'));

  it('refuses more than 50 lines and an amount above the maximum', () => {
    cartWith(...Array<CartEvent>(50).fill(lineAdded))
      .when(add(course))
      .thenRejects('validation_failed');
    cartWith()
      .when(add({ ...course, plans: [{ ...plan, amountCents: MAX_CENTS }] }, null, 2))
      .thenRejects('validation_failed', 'quantity');
  });

  it('changes the quantity of a line once', () => {
    const ofTwo = { type: 'ChangeLine', lineId: 'cl_1', quantity: 2, plan: null } as const;
    const changed: CartEvent = {
      type: 'LineChanged',
      data: { ...change, line: { ...line, quantity: 2, amountCents: 5000 } },
    };
    cartWith(lineAdded).when(ofTwo).then(changed);
    cartWith(lineAdded, changed).when(ofTwo).thenNothing();
  });

  it('changes the plan of a line', () => {
    const cheaper = { ...plan, planId: 'plan_3', amountCents: 1000 };
    cartWith(lineAdded)
      .when({
        type: 'ChangeLine',
        lineId: 'cl_1',
        quantity: null,
        plan: { product: { ...course, plans: [plan, cheaper] }, planId: 'plan_3' },
      })
      .then({
        type: 'LineChanged',
        data: {
          ...change,
          line: {
            ...line,
            planId: 'plan_3',
            terms: { ...once, amountCents: 1000 },
            unitAmountCents: 1000,
            amountCents: 1000,
          },
        },
      });
  });

  it('removes a line and refuses an unknown line', () => {
    const remove = { type: 'RemoveLine', lineId: 'cl_1' } as const;
    cartWith(lineAdded)
      .when(remove)
      .then({ type: 'LineRemoved', data: { ...change, lineId: 'cl_1' } });
    cartWith().when(remove).thenRejects('not_found');
  });

  it('records only the fields that change', () => {
    cartWith()
      .when({ type: 'EditCart', content: { currency: 'EUR', buyer: ada } })
      .then({ type: 'CartEdited', data: { ...change, changes: { currency: 'EUR' } } });
    cartWith()
      .when({ type: 'EditCart', content: { buyer: { ...ada, email: { box: 'encrypted again', hash: 'ada' } } } })
      .thenNothing();
  });

  it('refuses another currency than that of its lines', () =>
    cartWith(lineAdded)
      .when({ type: 'EditCart', content: { currency: 'USD' } })
      .thenRejects('currency_mismatch', 'currency'));

  it('records the complete sale at its checkout', () => cartWith(lineAdded).when(checkOut).then(checkedOut));

  it('refuses a checkout without lines, without a buyer and without a payment method', () => {
    cartWith().when(checkOut).thenRejects('cart_empty');
    given(cartDecider, { ...cartCreated, data: { ...cartCreated.data, buyer: null } } as CartEvent, lineAdded)
      .when(checkOut)
      .thenRejects('buyer_required', 'buyer.email');
    cartWith(lineAdded)
      .when({ ...checkOut, methodToken: null })
      .thenRejects('validation_failed', 'payment_method.token');
  });

  it('lists every unavailable line with the reason of the first one', () => {
    const products = [
      course,
      { ...course, id: 'prod_2', status: 'inactive' },
      { ...course, id: 'prod_3', approval: 'review' },
    ] as const;
    const more = (productId: string): CartEvent =>
      ({ ...lineAdded, data: { ...lineAdded.data, line: { ...line, lineId: productId, productId } } }) as CartEvent;
    const refused = cartWith(lineAdded, more('prod_2'), more('prod_3')).when({ ...checkOut, products });

    refused.thenRejects('product_unavailable', 'lines[1].product_id', { block_reason: 'inactive' });
    refused.thenRejects('product_unavailable', 'lines[2].product_id');
  });

  it('refuses a checkout when the plan of a line is archived', () =>
    cartWith(lineAdded)
      .when({ ...checkOut, products: [{ ...course, plans: [{ ...plan, status: 'archived' }, clubPlan] }] })
      .thenRejects('product_unavailable', 'lines[0].product_id', { block_reason: 'no_active_plan' }));
});

describe('A checked-out cart', () => {
  it('refuses every further command', () => {
    for (const command of [checkOut, add(course), { type: 'EditCart', content: { currency: 'EUR' } } as const])
      given(cartDecider, cartCreated, lineAdded, checkedOut).when(command).thenRejects('cart_not_open');
  });

  it('is reopened only by the failure of its own order', () => {
    const reopened: CartEvent = { type: 'CartReopened', data: { ...change, orderId: 'ord_1' } };
    const history = [cartCreated, lineAdded, checkedOut] as const;
    given(cartDecider, ...history)
      .when({ type: 'ReopenCart', orderId: 'ord_1' })
      .then(reopened);
    given(cartDecider, ...history)
      .when({ type: 'ReopenCart', orderId: 'ord_2' })
      .thenNothing();
    given(cartDecider, ...history, reopened)
      .when({ type: 'ReopenCart', orderId: 'ord_1' })
      .thenNothing();
  });
});

describe('A cart with declined payments', () => {
  const declinedAt = (minute: number): CartEvent[] => {
    const at = `2026-02-01T09:${String(minute).padStart(2, '0')}:00.000Z`;
    return [checkedOut, { type: 'CartReopened', data: { ...change, at, orderId: 'ord_1' } }];
  };
  const history = (times: number) => Array.from({ length: times }, (_, i) => declinedAt(i)).flat();

  it('refuses an eleventh checkout within an hour of the first', () => {
    for (const [now, seconds] of [
      ['2026-02-01T09:59:59.999Z', 1],
      ['2026-02-01T09:30:00.000Z', 1800],
    ] as const)
      given(cartDecider, cartCreated, lineAdded, ...history(10))
        .when(checkOut, { now })
        .thenLimits(seconds);
  });

  it('allows a checkout after nine declined payments, and one hour after the first of ten', () => {
    for (const [times, now] of [
      [9, '2026-02-01T09:30:00.000Z'],
      [10, '2026-02-01T10:00:00.000Z'],
    ] as const)
      given(cartDecider, cartCreated, lineAdded, ...history(times))
        .when(checkOut, { now })
        .then({ ...checkedOut, data: { ...checkedOut.data, at: now } });
  });
});

describe('A cart that was last changed seven days ago', () => {
  it('refuses a checkout', () => {
    given(cartDecider, cartCreated, lineAdded)
      .when(checkOut, { now: '2026-02-07T09:00:00.000Z' })
      .thenRejects('cart_not_open');
    given(cartDecider, cartCreated, lineAdded)
      .when(checkOut, { now: '2026-02-07T08:59:59.999Z' })
      .then({ ...checkedOut, data: { ...checkedOut.data, at: '2026-02-07T08:59:59.999Z' } });
  });
});
