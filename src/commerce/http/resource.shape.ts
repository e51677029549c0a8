import { id, object, one, personal, refer, time, whole, type Shape } from '../../http/openapi/shape.js';
import { MAX_CENTS } from '../domain/money.js';

export const cents: Shape<number> = { schema: { type: 'integer', minimum: 0, maximum: MAX_CENTS } };

/** The first fields of every commerce resource. */
export const begun = <const O extends string>(name: O, prefix: string) => ({
  id: id(prefix),
  object: one(name),
  business: refer('business', 'biz'),
  created_at: time,
});

export const buyer = object({ object: one('buyer'), id: id('buy'), email: personal, name: personal });

export const product = refer('product', 'prod');
export const plan = refer('payment_plan', 'plan');
export const refundStatus = one('none', 'partial', 'full');

export const totals = {
  subtotal_amount_cents: cents,
  discount_amount_cents: cents,
  tax_amount_cents: cents,
  total_amount_cents: cents,
};

/** The fields of a line of a cart, an order or an invoice. */
export const line = { product, plan, quantity: whole, unit_amount_cents: cents, amount_cents: cents };
