import { omitUndefined } from '../../kernel/omit-undefined.js';
import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  list,
  nullable,
  nullValue,
  object,
  resource,
  string,
  uri,
  type ValueOf,
} from '../../kernel/schema.js';
import type { CartEvent } from '../domain/cart.js';
import type { CartContent } from '../domain/cart-content.js';
import type { CartLine } from '../domain/cart-line.js';
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

const cartLineSchema = object({ id: id('cl'), ...lineFields });

export const cartSchema = resource('Cart', {
  ...resourceFields('cart', 'cart'),
  ...totalsFields,
  status: enumOf('open', 'completed', 'expired'),
  currency: nullable(currency),
  buyer: nullable(buyerSchema),
  lines: list(cartLineSchema),
  discount: nullValue,
  offer: nullValue,
  metadata: freeForm,
  external_reference: nullable(string),
  redirect_url: nullable(uri),
  expires_at: dateTime,
});

export type CartLineDocument = ValueOf<typeof cartLineSchema>;

export interface CartDocument extends DocumentOf<typeof cartSchema>, Owned {
  readonly _userId: string | null;
  readonly _lines: readonly CartLine[];
}

type Event<T extends CartEvent['type']> = EventOf<CartEvent, T>;

export const carts: Projection<CartDocument, CartEvent> = {
  name: 'carts',
  version: 2,
  id: pickId('cartId'),
  indexes: [],
  sparse: [[...OWNER_INDEX, BUYER_PATH, 'created_at']],
  on: {
    CartCreated: (_, event) => toCartDocument(event),
    CartEdited: (cart, { data: { changes, expiresAt } }) =>
      cart && { ...cart, ...toChangedFields(changes), expires_at: expiresAt },
    LineAdded: (cart, { data: { line, expiresAt } }) =>
      cart && {
        ...cart,
        currency: cart.currency ?? line.terms.currency,
        ...toLineFields([...cart._lines, line]),
        expires_at: expiresAt,
      },
    LineChanged: (cart, { data: { line, expiresAt } }) =>
      cart && {
        ...cart,
        ...toLineFields(cart._lines.map((old) => (old.lineId === line.lineId ? line : old))),
        expires_at: expiresAt,
      },
    LineRemoved: (cart, { data: { lineId, expiresAt } }) =>
      cart && { ...cart, ...toLineFields(cart._lines.filter((line) => line.lineId !== lineId)), expires_at: expiresAt },
    CartCheckedOut: (cart, { data: { buyer } }) =>
      cart && { ...cart, status: 'completed', buyer: toBuyerDocument(buyer) },
    CartReopened: (cart, { data: { expiresAt } }) => cart && { ...cart, status: 'open', expires_at: expiresAt },
  },
};

function toCartDocument(event: Event<'CartCreated'>): CartDocument {
  const { cartId, currency, buyer, metadata, externalReference, redirectUrl, expiresAt, userId } = event.data;
  return {
    ...toResourceValues('cart', cartId, event),
    status: 'open',
    currency,
    buyer: buyer && toBuyerDocument(buyer),
    ...toLineFields([]),
    discount: null,
    offer: null,
    metadata,
    external_reference: externalReference,
    redirect_url: redirectUrl,
    expires_at: expiresAt,
    _userId: userId,
  };
}

function toLineFields(lines: readonly CartLine[]): Pick<CartDocument, 'lines' | '_lines' | keyof TotalsDocument> {
  return { lines: lines.map(toLineDocument), ...toTotalsDocument(calculateTotals(lines)), _lines: lines };
}

function toLineDocument({
  lineId,
  productId,
  planId,
  quantity,
  unitAmountCents,
  amountCents,
}: CartLine): CartLineDocument {
  return {
    id: lineId,
    product: toReference('product', productId),
    plan: toReference('payment_plan', planId),
    quantity,
    unit_amount_cents: unitAmountCents,
    amount_cents: amountCents,
  };
}

function toChangedFields({ buyer, externalReference, redirectUrl, ...same }: Partial<CartContent>) {
  return {
    ...same,
    ...omitUndefined({
      buyer: buyer && toBuyerDocument(buyer),
      external_reference: externalReference,
      redirect_url: redirectUrl,
    }),
  } satisfies Partial<CartDocument>;
}
