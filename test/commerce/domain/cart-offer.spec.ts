import { cartDecider } from '../../../src/commerce/domain/cart.js';
import type { CartContent } from '../../../src/commerce/domain/cart-content.js';
import type { CartEvent } from '../../../src/commerce/domain/cart-state.js';
import type { KnownOffer } from '../../../src/commerce/domain/offer.js';
import { given } from '../../support/given.js';
import { ada, cartCreated, course, IN_7_DAYS, line, lineAdded, NOW, once, plan } from './facts.js';

const buyer = { ...ada, name: { box: 'box', hash: 'name' } };
const bob = { ...ada, id: 'buy_2' };
const offer: KnownOffer = {
  status: 'sent',
  business: 'biz_1',
  mode: 'live',
  content: {
    offerId: 'off_1',
    productId: 'prod_1',
    planId: 'plan_1',
    name: 'A course',
    terms: once,
    buyer,
    amountCents: 1900,
    message: null,
    expiresAt: '2026-03-02T09:00:00.000Z',
    acceptUrl: 'https://example.com/offers/off_1',
  },
  orderId: null,
  sentCount: 1,
  lastSentAt: NOW,
};
const taken = { offer, product: course };
const reference = { offerId: 'off_1', buyerId: 'buy_1' };
const offerLine = { ...line, unitAmountCents: 1900, amountCents: 1900 };
const change = { cartId: 'cart_1', at: NOW, expiresAt: IN_7_DAYS };
const spring = { discountId: 'dsc_1', code: 'Spring', percentOff: 15, duration: 'once', months: null } as const;

const content: CartContent = {
  currency: null,
  buyer: null,
  metadata: {},
  externalReference: null,
  redirectUrl: null,
};
const owner = { businessId: 'biz_1', mode: 'live', userId: null, tokenHash: 'hash' } as const;
const create = { type: 'CreateCart', cartId: 'cart_1', ...owner, ...content, taken } as const;
const edited = (changes: Partial<CartContent>): CartEvent => ({ type: 'CartEdited', data: { changes, ...change } });
const filled: readonly CartEvent[] = [
  edited({ offer: reference, buyer, currency: 'EUR' }),
  { type: 'LineAdded', data: { line: offerLine, ...change } },
];
const edit = (fields: Partial<CartContent>) => ({ type: 'EditCart', content: fields }) as const;
const inState = (more: Partial<KnownOffer>) => ({ ...taken, offer: { ...offer, ...more } });

describe('A cart for an offer', () => {
  it('is filled with the one line of the offer, for its buyer', () =>
    given(cartDecider)
      .when(create)
      .then(
        {
          type: 'CartCreated',
          data: { ...owner, ...content, offer: reference, buyer, currency: 'EUR', ...change },
        },
        { type: 'LineAdded', data: { line: offerLine, ...change } },
      ));

  it('gets the offer by an edit instead of its lines, once, and loses it again', () => {
    const take = { type: 'EditCart', content: {}, taken } as const;
    given(cartDecider, cartCreated, lineAdded)
      .when(take)
      .then(
        edited({ offer: reference, buyer }),
        { type: 'LineRemoved', data: { lineId: 'cl_1', ...change } },
        { type: 'LineAdded', data: { line: offerLine, ...change } },
      );
    given(cartDecider, cartCreated, ...filled)
      .when(take)
      .thenNothing();
    given(cartDecider, cartCreated, ...filled)
      .when({ type: 'EditCart', content: {}, taken: null })
      .then(edited({ offer: null }), { type: 'LineRemoved', data: { lineId: 'cl_1', ...change } });
    given(cartDecider, cartCreated).when({ type: 'EditCart', content: {}, taken: null }).thenNothing();
  });

  it.each([
    ['a draft', { status: 'draft' }, 'offer_not_sent'],
    ['an expired one', { status: 'expired' }, 'offer_expired'],
    ['an accepted one', { status: 'accepted', orderId: 'ord_1' }, 'offer_already_accepted'],
    ['a cancelled one', { status: 'cancelled' }, 'offer_cancelled'],
  ] as const)('does not take %s', (_, more, code) =>
    given(cartDecider)
      .when({ ...create, taken: inState(more) })
      .thenRejects(code, 'offer_id'),
  );

  it.each([
    ['another buyer', { buyer: bob }, 'offer_buyer_mismatch', 'buyer.email'],
    ['a discount', { discount: spring }, 'discount_invalid', 'discount_code'],
    ['another currency', { currency: 'USD' }, 'currency_mismatch', 'currency'],
  ])('is refused with %s', (_, more, code, param) =>
    given(cartDecider)
      .when({ ...create, ...more })
      .thenRejects(code, param),
  );

  it('is refused when the product cannot be sold', () => {
    const inactive = { ...course, status: 'inactive' } as const;
    given(cartDecider)
      .when({ ...create, taken: { offer, product: inactive } })
      .thenRejects('not_saleable', 'offer_id');
    const archived = { ...course, plans: [{ ...plan, status: 'archived' } as const, { ...plan, planId: 'plan_2' }] };
    given(cartDecider)
      .when({ ...create, taken: { offer, product: archived } })
      .thenRejects('plan_not_available', 'offer_id');
  });

  it('keeps its line and its buyer', () => {
    const cart = given(cartDecider, cartCreated, ...filled);
    cart.when({ type: 'AddLine', product: course, planId: null, quantity: 1 }).thenRejects('cart_locked');
    cart.when({ type: 'ChangeLine', lineId: 'cl_1', quantity: 2, plan: null }).thenRejects('cart_locked');
    cart.when({ type: 'RemoveLine', lineId: 'cl_1' }).thenRejects('cart_locked');
    for (const other of [bob, null]) cart.when(edit({ buyer: other })).thenRejects('offer_buyer_mismatch');
    cart.when(edit({ discount: spring })).thenRejects('discount_invalid');
    cart.when(edit({ buyer: ada })).then(edited({ buyer: ada }));
  });
});

describe('The checkout of an offer', () => {
  const checkOut = {
    type: 'CheckOut',
    orderId: 'ord_1',
    buyer: null,
    methodToken: 'tok_ok',
    products: [course],
    discount: null,
    offer,
  } as const;
  const cart = given(cartDecider, cartCreated, ...filled);

  it('sells the line at the price of the offer', () =>
    cart.when(checkOut).then({
      type: 'CartCheckedOut',
      data: expect.objectContaining({
        offer: reference,
        totalCents: 1900,
        lines: [{ ...offerLine, discountCents: 0 }],
      }),
    }));

  it.each([
    [{ status: 'expired' }, 'offer_expired'],
    [{ status: 'accepted', orderId: 'ord_2' }, 'offer_already_accepted'],
    [{ status: 'cancelled' }, 'offer_cancelled'],
    [{ orderId: 'ord_2' }, 'concurrent_update'],
  ] as const)('is refused for an offer with %j', (more, code) =>
    cart.when({ ...checkOut, offer: { ...offer, ...more } }).thenRejects(code),
  );

  it('is refused for another buyer, and when the offer of the cart has changed', () => {
    cart.when({ ...checkOut, buyer: bob }).thenRejects('offer_buyer_mismatch', 'buyer.email');
    cart.when({ ...checkOut, offer: null }).thenRejects('concurrent_update');
    given(cartDecider, cartCreated, lineAdded).when(checkOut).thenRejects('concurrent_update');
  });
});
