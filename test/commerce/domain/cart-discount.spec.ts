import { cartDecider } from '../../../src/commerce/domain/cart.js';
import { applyDiscount } from '../../../src/commerce/domain/cart-discount.js';
import type { CartEvent } from '../../../src/commerce/domain/cart-state.js';
import { calculateTotals } from '../../../src/commerce/domain/money.js';
import { fold } from '../../../src/kernel/decider.js';
import { given } from '../../support/given.js';
import { ada, cartCreated, course, EARLIER, IN_7_DAYS, line, lineAdded, NOW } from './facts.js';

const spring = {
  discountId: 'dsc_1',
  code: 'Spring',
  percentOff: 15,
  duration: 'repeating',
  months: 3,
} as const;
const discounted: CartEvent = {
  type: 'CartEdited',
  data: { cartId: 'cart_1', changes: { discount: spring }, at: EARLIER, expiresAt: IN_7_DAYS },
};
const checkOut = {
  type: 'CheckOut',
  orderId: 'ord_1',
  buyer: null,
  methodToken: 'tok_ok',
  products: [course],
  discount: { discountId: 'dsc_1', isActive: true },
  offer: null,
} as const;

describe('The discount of a cart', () => {
  const cartWith = (...events: readonly CartEvent[]) => given(cartDecider, cartCreated, ...events);
  const edited = (discount: typeof spring | null): CartEvent => ({
    type: 'CartEdited',
    data: { cartId: 'cart_1', changes: { discount }, at: NOW, expiresAt: IN_7_DAYS },
  });

  it('is set, kept and removed', () => {
    const set = { type: 'EditCart', content: { discount: spring } } as const;
    cartWith().when(set).then(edited(spring));
    cartWith(discounted).when(set).thenNothing();
    cartWith(discounted)
      .when({ type: 'EditCart', content: { discount: null } })
      .then(edited(null));
    cartWith()
      .when({ type: 'EditCart', content: { discount: null } })
      .thenNothing();
  });

  it('is applied to each line at the checkout, and recorded with the sale', () =>
    cartWith(discounted, lineAdded)
      .when(checkOut)
      .then({
        type: 'CartCheckedOut',
        data: {
          orderId: 'ord_1',
          cartId: 'cart_1',
          businessId: 'biz_1',
          currency: 'EUR',
          buyer: ada,
          discount: spring,
          metadata: { campaign: 'spring' },
          externalReference: null,
          redirectUrl: null,
          lines: [{ ...line, discountCents: 375 }],
          subtotalCents: 2500,
          discountCents: 375,
          taxCents: 0,
          totalCents: 2125,
          methodToken: 'tok_ok',
          at: NOW,
        },
      }));

  it('is refused at the checkout after its deletion', () =>
    cartWith(discounted, lineAdded)
      .when({ ...checkOut, discount: { discountId: 'dsc_1', isActive: false } })
      .thenRejects('discount_invalid', 'discount_code'));

  it('is not refused before an unavailable product, and before a missing buyer', () => {
    const deleted = { ...checkOut, discount: { discountId: 'dsc_1', isActive: false } };
    cartWith(discounted, lineAdded)
      .when({ ...deleted, products: [{ ...course, approval: 'review' }] })
      .thenRejects('product_unavailable');
    given(
      cartDecider,
      { ...cartCreated, data: { ...cartCreated.data, buyer: null } } as CartEvent,
      discounted,
      lineAdded,
    )
      .when(deleted)
      .thenRejects('discount_invalid');
  });

  it('needs another try when it changed during the checkout', () =>
    cartWith(lineAdded).when(checkOut).thenRejects('concurrent_update'));

  it('makes a payment method optional when nothing is due', () => {
    const free = { ...discounted, data: { ...discounted.data, changes: { discount: { ...spring, percentOff: 100 } } } };
    const cart = fold(cartDecider, [cartCreated, free as CartEvent, lineAdded]);
    const [sold] = cartDecider.decide({ ...checkOut, methodToken: null }, cart, { now: NOW, createId: String });
    expect(sold!.data).toMatchObject({ subtotalCents: 2500, discountCents: 2500, totalCents: 0, methodToken: null });
  });
});

describe('A percentage off the lines of a cart', () => {
  it.each([
    [15, [1010], [152]],
    [15, [1009], [151]],
    [50, [1, 1], [1, 1]],
    [33, [100, 100, 100], [33, 33, 33]],
    [100, [4900, 0], [4900, 0]],
    [1, [99_999_999_999], [1_000_000_000]],
  ])('of %i percent is rounded half up for each line', (percentOff, amounts, discounts) => {
    const lines = amounts.map((amountCents) => ({ ...line, amountCents }));
    const sold = applyDiscount(lines, { ...spring, percentOff });
    expect(sold.map(({ discountCents }) => discountCents)).toEqual(discounts);

    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    expect(calculateTotals(sold)).toEqual({
      subtotalCents: sum(amounts),
      discountCents: sum(discounts),
      taxCents: 0,
      totalCents: sum(amounts) - sum(discounts),
    });
  });

  it('is zero without a discount', () => {
    expect(applyDiscount([line], null)).toEqual([{ ...line, discountCents: 0 }]);
  });
});
