import type { Recorded } from '../../kernel/event.js';
import type { Owned } from '../../kernel/ownership.js';
import { reference } from '../../kernel/reference.js';
import { id, nullable, object, one, personal, refer, time, whole, type Shape, type ValueOf } from '../../kernel/schema.js';
import type { Buyer } from '../domain/buyer.js';
import { MAX_CENTS, type Totals } from '../domain/money.js';

export const cents: Shape<number> = { schema: { type: 'integer', minimum: 0, maximum: MAX_CENTS } };

/** The first fields of every resource of a business. */
export const begun = <const O extends string>(name: O, prefix: string) => ({
  id: id(prefix),
  object: one(name),
  business: refer('business', 'biz'),
  created_at: time,
});

export const buyer = object({ object: one('buyer'), id: id('buy'), email: personal, name: nullable(personal) });

export const product = refer('product', 'prod');
export const plan = refer('payment_plan', 'plan');
export const refundStatus = one('none', 'partial', 'full');

export const totals = {
  subtotal_amount_cents: cents,
  discount_amount_cents: cents,
  tax_amount_cents: cents,
  total_amount_cents: cents,
};

/** The fields that lines of carts, orders and invoices share. */
export const line = { product, plan, quantity: whole, unit_amount_cents: cents, amount_cents: cents };

/** Returns the values of these fields and the owner. `created_at` is the time in the event's data. */
export function begin<O extends string>(object: O, id: string, event: Recorded<string, { businessId: string; at: string }>) {
  const { businessId, at } = event.data;
  const owner: Owned = { _business: businessId, _mode: event.meta.mode };
  return { id, object, business: reference('business', businessId), created_at: at, ...owner };
}

export type BuyerDocument = ValueOf<typeof buyer>;

export function buyerDocument({ id, email, name }: Buyer): BuyerDocument {
  return { object: 'buyer', id, email, name };
}

export type TotalsDocument = { readonly [K in keyof typeof totals]: number };

export function totalsDocument({ subtotalCents, discountCents, taxCents, totalCents }: Totals): TotalsDocument {
  return {
    subtotal_amount_cents: subtotalCents,
    discount_amount_cents: discountCents,
    tax_amount_cents: taxCents,
    total_amount_cents: totalCents,
  };
}
