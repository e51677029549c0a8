import { createContext } from '../../support/jar.js';
import { CheckoutFixture } from '../checkout-fixture.js';

describe('ReleaseFunds', () => {
  it('releases the funds of a sale once, seven days after it', async () => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    await fixture.startProcess().checkout.run(sale, createContext('checkout ord_1'));
    expect(fixture.findTimer('funds').due).toBe('2026-02-08T09:00:00.000Z');

    await fixture.runTimer('funds');
    await fixture.runTimer('funds');
    const released = fixture.store.log.filter(({ type }) => type === 'FundsReleased');
    expect(released.map(({ data }) => data)).toMatchObject([
      { cashFlowAt: '2026-02-08T09:00:00.000Z', at: '2026-02-08T09:00:00.000Z' },
    ]);
    expect(released[0]!.meta.at < '2026-02-02').toBe(true);
  });
});
