import type { PlanTerms } from '../../../src/commerce/domain/payment-plan.js';
import { Customers } from './customers.js';

const PRICE_CENTS = 10_000;
const TOKENS = ['tok_ok', 'tok_ok', 'tok_ok', 'tok_declined', 'tok_pending', 'tok_timeout', 'tok_refund_declined'];

const ONCE: PlanTerms = {
  kind: 'one_time',
  name: null,
  amountCents: PRICE_CENTS,
  currency: 'EUR',
  interval: null,
  intervalCount: 1,
  installmentsCount: null,
};

/** Simulated clients of a shop: they buy its product and request refunds, and repeat a request without a response. */
export class Shoppers extends Customers {
  /** Opens the shop; its clients come within the next `ms`. */
  start(ms: number): void {
    this.schedule(0, async () => {
      const product = await this.openShop('shop', [ONCE]);
      if (product === null) return;
      for (let left = this.random.integer(2, 6); left > 0; left--)
        this.schedule(this.random.between(0, ms / 2), () =>
          this.buy(`visit-${left}`, product.id, product.planIds[0]!, this.random.pick(TOKENS)),
        );
      for (let left = this.random.integer(2, 6); left > 0; left--)
        this.schedule(this.random.between(ms / 6, ms), () => this.refund(`refund-${left}`, PRICE_CENTS));
    });
  }
}
