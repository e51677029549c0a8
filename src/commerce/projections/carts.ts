import { omitUndefined } from '../../kernel/omit-undefined.js';
import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  list,
  nullable,
  object,
  ref,
  resource,
  string,
  uri,
  type ValueOf,
} from '../../kernel/schema.js';
import type { CartContent } from '../domain/cart-content.js';
import { applyDiscount, type CartDiscount, type DiscountedLine } from '../domain/cart-discount.js';
import type { CartLine } from '../domain/cart-line.js';
import { type CartEvent, findGivenCurrency } from '../domain/cart-state.js';
import { calculateTotals } from '../domain/money.js';
import {
  BUYER_PATH,
  buyerSchema,
  lineFields,
  resourceFields,
  toBuyerDocument,
  toResourceValues,
  type TotalsDocument,
  totalsFields,
  toTotalsDocument,
} from './resources.js';

const cartLineSchema = object({
  id: describe(id('cl'), 'The id of the line in this cart; its line of the order has an id of its own.'),
  ...lineFields,
});

export const cartSchema = resource('Cart', {
  ...resourceFields('cart', 'cart'),
  ...totalsFields,
  status: describe(
    enumOf('open', 'completed', 'expired'),
    'Whether the cart can still be changed (`open`), was paid (`completed`), or is too old (`expired`).',
  ),
  currency: describe(nullable(currency), 'The currency of all lines; null until the first line or a choice sets it.'),
  buyer: describe(nullable(buyerSchema), 'The person who buys; null until the cart is given one.'),
  lines: describe(list(cartLineSchema), 'The products in the cart, in the order in which they were added.'),
  discount: describe(nullable(ref('discount', 'dsc')), 'The discount whose code was entered, or null.'),
  offer: describe(nullable(ref('offer', 'off')), 'The offer that fills the cart, or null.'),
  metadata: describe(freeForm, 'The values that the creator of the cart stored with it.'),
  external_reference: describe(nullable(string), 'The id of the cart in another system, or null.', 'checkout-1042'),
  redirect_url: describe(nullable(uri), 'The page that the buyer sees after the payment; null for none.'),
  expires_at: describe(dateTime, 'The time at which an open cart expires; each change of the cart moves it.'),
});

export type CartLineDocument = ValueOf<typeof cartLineSchema>;

export interface CartDocument extends DocumentOf<typeof cartSchema>, Owned {
  readonly _userId: string | null;
  /** The currency of the cart while it has no lines. */
  readonly _currency: string | null;
  readonly _lines: readonly CartLine[];
  readonly _discount: CartDiscount | null;
}

type Event<T extends CartEvent['type']> = EventOf<CartEvent, T>;

export const carts: Projection<CartDocument, CartEvent> = {
  name: 'carts',
  version: 6,
  id: pickId('cartId'),
  indexes: [],
  sparse: [[...OWNER_INDEX, BUYER_PATH, 'created_at']],
  on: {
    CartCreated: (_, event) => toCartDocument(event),
    CartEdited: (cart, { data: { changes, expiresAt } }) =>
      cart &&
      withLines(
        { ...cart, ...toChangedFields(changes), _currency: findGivenCurrency(changes, cart._currency) },
        cart._lines,
        expiresAt,
      ),
    LineAdded: (cart, { data: { line, expiresAt } }) =>
      cart && withLines({ ...cart, currency: cart.currency ?? line.terms.currency }, [...cart._lines, line], expiresAt),
    LineChanged: (cart, { data: { line, expiresAt } }) =>
      cart &&
      withLines(
        cart,
        cart._lines.map((old) => (old.lineId === line.lineId ? line : old)),
        expiresAt,
      ),
    LineRemoved: (cart, { data: { lineId, expiresAt } }) => cart && removeLine(cart, lineId, expiresAt),
    CartCheckedOut: (cart, { data: { buyer } }) =>
      cart && { ...cart, status: 'completed', buyer: toBuyerDocument(buyer) },
    CartExpired: (cart, { data: { at } }) => cart && { ...cart, expires_at: at },
    CartReopened: (cart, { data: { expiresAt } }) => cart && { ...cart, status: 'open', expires_at: expiresAt },
  },
};

function toCartDocument(event: Event<'CartCreated'>): CartDocument {
  const { cartId, currency, buyer, discount = null, offer, metadata, expiresAt, userId } = event.data;
  const { externalReference, redirectUrl } = event.data;
  return {
    ...toResourceValues('cart', cartId, event),
    status: 'open',
    currency,
    buyer: buyer && toBuyerDocument(buyer),
    ...toLineFields([], discount),
    ...toDiscountFields(discount),
    offer: optionalReference('offer', offer?.offerId ?? null),
    metadata,
    external_reference: externalReference,
    redirect_url: redirectUrl,
    expires_at: expiresAt,
    _userId: userId,
    _currency: findGivenCurrency(event.data, null),
  };
}

function withLines(cart: CartDocument, lines: readonly CartLine[], expiresAt: string): CartDocument {
  return { ...cart, ...toLineFields(lines, cart._discount), expires_at: expiresAt };
}

function removeLine(cart: CartDocument, lineId: string, expiresAt: string): CartDocument {
  const lines = cart._lines.filter((line) => line.lineId !== lineId);
  return withLines({ ...cart, currency: lines.length === 0 ? cart._currency : cart.currency }, lines, expiresAt);
}

function toLineFields(
  lines: readonly CartLine[],
  discount: CartDiscount | null,
): Pick<CartDocument, 'lines' | '_lines' | keyof TotalsDocument> {
  const discounted = applyDiscount(lines, discount);
  return { lines: discounted.map(toLineDocument), ...toTotalsDocument(calculateTotals(discounted)), _lines: lines };
}

function toDiscountFields(discount: CartDiscount | null): Pick<CartDocument, 'discount' | '_discount'> {
  return { discount: optionalReference('discount', discount?.discountId ?? null), _discount: discount };
}

function toLineDocument({
  lineId,
  productId,
  planId,
  quantity,
  unitAmountCents,
  amountCents,
  discountCents = 0,
}: DiscountedLine): CartLineDocument {
  return {
    id: lineId,
    product: toReference('product', productId),
    plan: toReference('payment_plan', planId),
    quantity,
    unit_amount_cents: unitAmountCents,
    amount_cents: amountCents - discountCents,
  };
}

function toChangedFields({ buyer, discount, offer, externalReference, redirectUrl, ...same }: Partial<CartContent>) {
  return {
    ...same,
    ...(discount !== undefined && toDiscountFields(discount)),
    ...(offer !== undefined && { offer: optionalReference('offer', offer?.offerId ?? null) }),
    ...omitUndefined({
      buyer: buyer && toBuyerDocument(buyer),
      external_reference: externalReference,
      redirect_url: redirectUrl,
    }),
  } satisfies Partial<CartDocument>;
}
