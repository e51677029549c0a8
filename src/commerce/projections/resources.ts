import type { Mode, Recorded } from '../../kernel/event.js';
import type { Sealed } from '../../kernel/sealed.js';
import type { Buyer } from '../domain/buyer.js';
import type { Totals } from '../domain/money.js';

export interface Reference<O extends string = string> {
  readonly object: O;
  readonly id: string;
}

export function reference<O extends string>(object: O, id: string): Reference<O> {
  return { object, id };
}

/** A reference to what may not be there. */
export function maybe<O extends string>(object: O, id: string | null): Reference<O> | null {
  return id === null ? null : { object, id };
}

/** What every resource of a business begins with. `created_at` is the business's time. */
export interface Resource<O extends string = string> extends Reference<O> {
  readonly business: Reference<'business'>;
  readonly created_at: string;
  readonly _mode: Mode;
}

export function resource<O extends string>(
  object: O,
  id: string,
  event: Recorded<string, { businessId: string; at: string }>,
): Resource<O> {
  const { businessId, at } = event.data;
  return { id, object, business: reference('business', businessId), created_at: at, _mode: event.meta.mode };
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

/** The groups that lists are counted by. */
export const OWNER = ['business.id', '_mode'] as const;
