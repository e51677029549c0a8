import { cartDecider } from '../../../src/commerce/domain/cart.js';
import { type KnownOffer, offerDecider } from '../../../src/commerce/domain/offer.js';
import type { Sale } from '../../../src/commerce/domain/sale.js';
import { createContext } from '../../support/jar.js';
import { crashAfter, crashAt, crashBefore } from '../../support/memory/crashes.js';
import { CheckoutFixture, createSaleJob } from '../checkout-fixture.js';
import { ada, course } from '../domain/facts.js';

const APPENDS_OF_A_CHECKOUT = 10;
const COMPLETED = ['OfferReserved', 'OrderPlaced', 'PaymentSucceeded', 'OfferAccepted', 'OrderCompleted'];
const DECLINED = ['OfferReserved', 'OrderPlaced', 'PaymentFailed', 'OfferReleased', 'CartReopened', 'OrderFailed'];

class OfferFixture extends CheckoutFixture {
  /** Sends an offer. */
  async offer(): Promise<KnownOffer> {
    const { streams } = this.startProcess();
    const offer = { offerId: 'off_1', buyer: ada, amountCents: 1900, message: null, acceptUrl: 'https://example.com' };
    const owner = { businessId: 'biz_1', mode: 'test' } as const;
    const facts = { offer, owner, product: course, planId: null, currency: null, expiresAt: null };
    const command = { type: 'CreateOffer', ...facts, send: true } as const;
    const { state } = await streams.execute(offerDecider, 'off_1', command, createContext('offer'));
    return state as KnownOffer;
  }

  /** Checks out a cart of the offer, without the following steps. */
  async take(offer: KnownOffer, n: number, methodToken = 'tok_ok'): Promise<Sale> {
    const { streams } = this.startProcess();
    const [cartId, orderId] = [`cart_${n}`, `ord_${n}`];
    const content = { currency: null, buyer: ada, metadata: {}, externalReference: null, redirectUrl: null };
    const owner = { businessId: 'biz_1', mode: 'test', userId: null, tokenHash: 'hash' } as const;
    const create = { type: 'CreateCart', cartId, ...owner, ...content, taken: { offer, product: course } } as const;
    await streams.execute(cartDecider, cartId, create, createContext(cartId));
    const facts = { orderId, buyer: null, methodToken, products: [course], discount: null, offer };
    const outcome = await streams.execute(cartDecider, cartId, { type: 'CheckOut', ...facts }, checkoutOf(n));
    return (await outcome.loadHistory()).at(-1)!.data as Sale;
  }

  /** Returns the event types of these, in the order of the log. */
  recorded(types: readonly string[]): string[] {
    return this.store.log.map(({ type }) => type).filter((type) => types.includes(type));
  }
}

const checkoutOf = (n: number) => createContext(`checkout ord_${n}`);

const crashes = ['tok_ok', 'tok_declined'].flatMap((token) =>
  [crashBefore, crashAfter].flatMap((fault) =>
    Array.from(
      { length: APPENDS_OF_A_CHECKOUT },
      (_, n) => [token, fault === crashBefore ? 'before' : 'after', n + 1, fault] as const,
    ),
  ),
);

describe('The checkout of an offer', () => {
  it.each(crashes)('ends once with %s, after a crash %s append %i', async (token, _, nth, fault) => {
    const fixture = new OfferFixture();
    const sale = await fixture.take(await fixture.offer(), 1, token);
    fixture.store.faults.push(...crashAt(nth, fault));
    await fixture
      .startProcess()
      .checkout.run(sale, checkoutOf(1))
      .catch(() => undefined);
    fixture.store.faults.length = 0;

    for (let time = 0; time < 2; time++) await fixture.startProcess().finish.run(createSaleJob(sale));
    const expected = token === 'tok_ok' ? COMPLETED : DECLINED;
    expect(fixture.recorded([...COMPLETED, ...DECLINED])).toEqual(expected);
    expect(new Set(fixture.gateway.charged).size).toBe(1);
  });

  it('charges one of two carts, and reopens the other for good', async () => {
    const fixture = new OfferFixture();
    const offer = await fixture.offer();
    const [first, second] = [await fixture.take(offer, 1, 'tok_declined'), await fixture.take(offer, 2)];
    const paid = Promise.withResolvers<void>();
    fixture.gateway.pauses.push(paid.promise);
    const request = fixture.startProcess().checkout.run(first, checkoutOf(1));
    while (fixture.gateway.charged.length === 0) await new Promise(setImmediate);

    expect(await fixture.startProcess().checkout.run(second, checkoutOf(2))).toBe('refused');
    paid.resolve();
    expect(await request).toBe('failed');
    // The offer is free now, but the refused checkout has ended.
    for (const sale of [first, second]) await fixture.startProcess().finish.run(createSaleJob(sale));

    expect(fixture.gateway.charged).toHaveLength(1);
    expect(fixture.recorded(['OfferReservationRefused', 'CartReopened', 'OrderPlaced', 'OfferAccepted'])).toEqual([
      'OrderPlaced',
      'OfferReservationRefused',
      'CartReopened',
      'CartReopened',
    ]);
  });
});
