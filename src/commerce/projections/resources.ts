import type { Recorded } from '../../kernel/event.js';
import type { Owned } from '../../kernel/ownership.js';
import { reference, type Reference } from '../../kernel/reference.js';
import type { Sealed } from '../../kernel/sealed.js';
import type { Buyer } from '../domain/buyer.js';
import type { Totals } from '../domain/money.js';

/** The first fields of every resource of a business. `created_at` is the time in the event's data. */
export interface Resource<O extends string = string> extends Reference<O>, Owned {
  readonly business: Reference<'business'>;
  readonly created_at: string;
}

export function resource<O extends string>(
  object: O,
  id: string,
  event: Recorded<string, { businessId: string; at: string }>,
): Resource<O> {
  const { businessId, at } = event.data;
  return { id, object, business: reference('business', businessId), created_at: at, _business: businessId, _mode: event.meta.mode };
}

export interface BuyerDocument extends Reference<'buyer'> {
  readonly email: Sealed;
  readonly name: Sealed | null;
}

export function buyerDocument({ id, email, name }: Buyer): BuyerDocument {
  return { object: 'buyer', id, email, name };
}

export interface TotalsDocument {
  readonly subtotal_amount_cents: number;
  readonly discount_amount_cents: number;
  readonly tax_amount_cents: number;
  readonly total_amount_cents: number;
}

export function totalsDocument({ subtotalCents, discountCents, taxCents, totalCents }: Totals): TotalsDocument {
  return {
    subtotal_amount_cents: subtotalCents,
    discount_amount_cents: discountCents,
    tax_amount_cents: taxCents,
    total_amount_cents: totalCents,
  };
}
