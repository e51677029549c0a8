import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Views } from '../../engine/reading/views.js';
import type { CallerContext } from '../../identity/caller.js';
import { Clock, iso } from '../../kernel/clock.js';
import { idIn, type EventOf, type Projection } from '../../kernel/projection.js';
import type { Owned } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import { mayUse } from '../domain/cart-access.js';
import { isOpen, type CartContent, type CartEvent } from '../domain/cart.js';
import type { CartLine } from '../domain/cart-line.js';
import { totalsOf } from '../domain/money.js';
import { reference } from '../../kernel/reference.js';
import {
  currency,
  type DocumentOf,
  free,
  id,
  list,
  nullable,
  nothing,
  object,
  one,
  resource,
  text,
  time,
  uri,
  type ValueOf,
} from '../../kernel/schema.js';
import { begin, begun, buyer, buyerDocument, line, totals, totalsDocument, type TotalsDocument } from './resources.js';

const cartLine = object({ id: id('cl'), ...line });

export const cartSchema = resource('Cart', {
  ...begun('cart', 'cart'),
  ...totals,
  status: one('open', 'completed', 'expired'),
  currency: nullable(currency),
  buyer: nullable(buyer),
  lines: list(cartLine),
  discount: nothing,
  offer: nothing,
  metadata: free,
  external_reference: nullable(text),
  redirect_url: nullable(uri),
  expires_at: time,
});

export type CartLineDocument = ValueOf<typeof cartLine>;

export interface CartDocument extends DocumentOf<typeof cartSchema>, Owned {
  readonly _userId: string | null;
  readonly _lines: readonly CartLine[];
}

type Event<T extends CartEvent['type']> = EventOf<CartEvent, T>;

export const carts: Projection<CartDocument, CartEvent> = {
  name: 'carts',
  version: 1,
  id: idIn('cartId'),
  indexes: [],
  on: {
    CartCreated: (_, event) => created(event),
    CartEdited: (cart, { data: { changes, expiresAt } }) => cart && { ...cart, ...fields(changes), expires_at: expiresAt },
    LineAdded: (cart, { data: { line, expiresAt } }) =>
      cart && { ...cart, currency: cart.currency ?? line.terms.currency, ...holding([...cart._lines, line]), expires_at: expiresAt },
    LineChanged: (cart, { data: { line, expiresAt } }) =>
      cart && { ...cart, ...holding(cart._lines.map((old) => (old.lineId === line.lineId ? line : old))), expires_at: expiresAt },
    LineRemoved: (cart, { data: { lineId, expiresAt } }) =>
      cart && { ...cart, ...holding(cart._lines.filter((line) => line.lineId !== lineId)), expires_at: expiresAt },
    CartCheckedOut: (cart, { data: { buyer } }) => cart && { ...cart, status: 'completed', buyer: buyerDocument(buyer) },
    CartReopened: (cart, { data: { expiresAt } }) => cart && { ...cart, status: 'open', expires_at: expiresAt },
  },
};

function created(event: Event<'CartCreated'>): CartDocument {
  const { cartId, currency, buyer, metadata, externalReference, redirectUrl, expiresAt, userId } = event.data;
  return {
    ...begin('cart', cartId, event),
    status: 'open',
    currency,
    buyer: buyer && buyerDocument(buyer),
    ...holding([]),
    discount: null,
    offer: null,
    metadata,
    external_reference: externalReference,
    redirect_url: redirectUrl,
    expires_at: expiresAt,
    _userId: userId,
  };
}

function holding(lines: readonly CartLine[]): Pick<CartDocument, 'lines' | '_lines' | keyof TotalsDocument> {
  return { lines: lines.map(lineDocument), ...totalsDocument(totalsOf(lines)), _lines: lines };
}

function lineDocument({ lineId, productId, planId, quantity, unitAmountCents, amountCents }: CartLine): CartLineDocument {
  return {
    id: lineId,
    product: reference('product', productId),
    plan: reference('payment_plan', planId),
    quantity,
    unit_amount_cents: unitAmountCents,
    amount_cents: amountCents,
  };
}

function fields({ buyer, externalReference, redirectUrl, ...same }: Partial<CartContent>): Partial<CartDocument> {
  return {
    ...same,
    ...(buyer === undefined ? {} : { buyer: buyer && buyerDocument(buyer) }),
    ...(externalReference === undefined ? {} : { external_reference: externalReference }),
    ...(redirectUrl === undefined ? {} : { redirect_url: redirectUrl }),
  };
}

export class GetCart extends Query<CartDocument> {
  constructor(
    readonly context: CallerContext,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(GetCart)
export class GetCartHandler implements IQueryHandler<GetCart> {
  constructor(
    private readonly views: Views,
    private readonly clock: Clock,
  ) {}

  async execute({ context, id }: GetCart): Promise<CartDocument> {
    const cart = await this.views.get(carts, id, context.progress);
    if (cart === null || !mayUse(ownerOfCart(cart), context.caller)) throw Rejection.notFound();
    return this.asOfNow(cart);
  }

  /** Derives `expired` from the clock, because no event is recorded when a cart expires. */
  private asOfNow(cart: CartDocument): CartDocument {
    const expired = cart.status === 'open' && !isOpen({ status: cart.status, expiresAt: cart.expires_at }, iso(this.clock.now()));
    return expired ? { ...cart, status: 'expired' } : cart;
  }
}

function ownerOfCart({ id, business, _mode, _userId }: CartDocument) {
  return { cartId: id, businessId: business.id, mode: _mode, userId: _userId };
}
