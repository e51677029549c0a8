import type { RecordedEvent } from '../../kernel/event.js';
import type { Owned } from '../../kernel/ownership.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  enumOf,
  id,
  integer,
  KIND,
  nullable,
  object,
  personalString,
  ref,
  type Schema,
  type ValueOf,
} from '../../kernel/schema.js';
import type { Buyer } from '../domain/buyer.js';
import { MAX_CENTS, type Totals } from '../domain/money.js';

export const centsSchema: Schema<number> = { schema: { type: 'integer', minimum: 0, maximum: MAX_CENTS } };

/** The first fields of every resource of a business. */
export const resourceFields = <const O extends string>(name: O, prefix: string) => ({
  id: describe(id(prefix), 'The id of this object; it never changes.'),
  object: describe(enumOf(name), KIND),
  business: describe(ref('business', 'biz'), 'The business that this object belongs to.'),
  created_at: describe(dateTime, 'The time at which this object was created.'),
});

export const buyerSchema = object({
  object: describe(enumOf('buyer'), KIND),
  id: describe(
    id('buy'),
    'The id of the buyer, the same for all purchases with the same e-mail address, until the buyer is forgotten.',
  ),
  email: describe(personalString, 'The e-mail address of the buyer; null once the buyer is forgotten.'),
  name: describe(
    nullable(personalString),
    'The name of the buyer; null when it is unknown or forgotten.',
    'Ada Lovelace',
  ),
});

/** The path of the buyer's id in a document. */
export const BUYER_PATH = 'buyer.id';

/** The path of the same id in a document that does not show its buyer. */
export const HIDDEN_BUYER_PATH = '_buyerId';

export const productReference = ref('product', 'prod');
export const planReference = ref('payment_plan', 'plan');
export const refundStatusSchema = enumOf('none', 'partial', 'full');

export type RefundStatus = ValueOf<typeof refundStatusSchema>;

export function toRefundStatus(refundedCents: number, amountCents: number): RefundStatus {
  if (refundedCents === 0) return 'none';
  return refundedCents < amountCents ? 'partial' : 'full';
}

export const totalsFields = {
  subtotal_amount_cents: describe(centsSchema, 'The sum of all lines before discount and tax, in cents.'),
  discount_amount_cents: describe(centsSchema, 'The discount, in cents.'),
  tax_amount_cents: describe(centsSchema, 'The tax, in cents.'),
  total_amount_cents: describe(
    centsSchema,
    'The amount that the buyer pays: subtotal less discount plus tax, in cents.',
  ),
};

/** The fields that lines of carts, orders and invoices share. */
export const lineFields = {
  product: describe(productReference, 'The product that is bought.'),
  plan: describe(planReference, 'The payment plan of the product by which it is bought.'),
  quantity: describe(integer, 'How many are bought.'),
  unit_amount_cents: describe(centsSchema, 'The price of one, in cents.'),
  amount_cents: describe(centsSchema, 'The price of one times the quantity, less the discount, in cents.'),
};

/** Returns the values of these fields and the owner. `created_at` is the time in the event's data. */
export function toResourceValues<O extends string>(
  object: O,
  id: string,
  event: RecordedEvent<string, { businessId: string; at: string }>,
) {
  const { businessId, at } = event.data;
  const owner: Owned = { _business: businessId, _mode: event.meta.mode };
  return { id, object, business: toReference('business', businessId), created_at: at, ...owner };
}

export type BuyerDocument = ValueOf<typeof buyerSchema>;

export function toBuyerDocument({ id, email, name }: Buyer): BuyerDocument {
  return { object: 'buyer', id, email, name };
}

export type TotalsDocument = { readonly [K in keyof typeof totalsFields]: number };

export function toTotalsDocument({ subtotalCents, discountCents, taxCents, totalCents }: Totals): TotalsDocument {
  return {
    subtotal_amount_cents: subtotalCents,
    discount_amount_cents: discountCents,
    tax_amount_cents: taxCents,
    total_amount_cents: totalCents,
  };
}
