import { unscopedSubjectOfBox } from '../../engine/encryption/subject-names.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { EventOf, Projection } from '../../kernel/projection.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  integer,
  list,
  nullable,
  object,
  personalString,
  resource,
  type Schema,
  type ValueOf,
} from '../../kernel/schema.js';
import type { Buyer } from '../domain/buyer.js';
import type { CartEvent } from '../domain/cart-state.js';
import type { OfferEvent } from '../domain/offer.js';
import type { OrderEvent } from '../domain/order.js';
import type { PaymentEvent } from '../domain/payment.js';
import { type RefundOutcome, toRefundedCents } from '../domain/refund.js';
import type { SubscriptionEvent } from '../domain/subscription-events.js';
import { resourceFields, toResourceValues } from './resources.js';

/** A sum of payments may exceed the limit of one payment. */
const sumSchema: Schema<number> = { schema: { type: 'integer', minimum: 0 } };

const spentSchema = object({
  currency,
  amount_cents: describe(sumSchema, 'The sum of the payments that succeeded, before refunds, in cents.'),
  refunded_cents: describe(sumSchema, 'The amount that was refunded of it, in cents.', 0),
});

export const buyerResourceSchema = resource('Buyer', {
  ...resourceFields('buyer', 'buy'),
  email: describe(personalString, 'The e-mail address of the buyer; null once the buyer is forgotten.'),
  name: describe(
    nullable(personalString),
    'The name of the buyer; null when it is unknown or forgotten.',
    'Ada Lovelace',
  ),
  orders_count: describe(integer, 'The number of completed orders of the buyer.', 3),
  subscriptions_count: describe(integer, 'The number of subscriptions that the buyer started, ended ones included.', 1),
  spent: describe(list(spentSchema), 'The sums of the payments and refunds in each currency.'),
  first_order_at: describe(nullable(dateTime), 'The time at which the first order was completed, or null before that.'),
  last_order_at: describe(nullable(dateTime), 'The time at which the latest order was completed, or null before that.'),
});

export interface BuyerDocument extends DocumentOf<typeof buyerResourceSchema>, Owned {
  /** The subject of the address: a person has one for all businesses and modes. */
  readonly _address: string;
}

type SpentDocument = ValueOf<typeof spentSchema>;

/** The events with which a business gets to know an address before a sale. */
type FirstContact =
  | Extract<CartEvent, { type: 'CartCreated' | 'CartEdited' | 'CartCheckedOut' }>
  | Extract<OfferEvent, { type: 'OfferCreated' }>;

type BuyerEvent =
  | FirstContact
  | Extract<OrderEvent, { type: 'OrderCompleted' }>
  | Extract<PaymentEvent, { type: 'PaymentSucceeded' }>
  | RefundOutcome
  | Extract<SubscriptionEvent, { type: 'SubscriptionStarted' }>;

/**
 * A buyer is known from the first cart or offer that names the address, so that it can be erased. Events that older
 * versions recorded have no buyer: they change no document.
 */
export const buyers: Projection<BuyerDocument, BuyerEvent> = {
  name: 'buyers',
  version: 4,
  id: ({ data }) => findBuyer(data)?.id ?? null,
  indexes: [
    [...OWNER_INDEX, 'created_at'],
    ['_address', 'created_at'],
  ],
  totals: [OWNER_INDEX],
  on: {
    CartCreated: toKnownBuyer,
    CartEdited: toKnownBuyer,
    CartCheckedOut: toKnownBuyer,
    OfferCreated: toKnownBuyer,
    OrderCompleted: (known, event) => {
      const [buyer, { at }] = [withSale(known, event), event.data];
      const times = { first_order_at: buyer.first_order_at ?? at, last_order_at: at };
      return { ...buyer, orders_count: buyer.orders_count + 1, ...times };
    },
    PaymentSucceeded: (known, event) => {
      const [buyer, { feeCents, netCents, currency }] = [withSale(known, event), event.data];
      const sale = { currency: currency!, amount_cents: feeCents + netCents, refunded_cents: 0 };
      return { ...buyer, spent: addSpent(buyer.spent, sale) };
    },
    RefundSucceeded: (buyer, { data }) => buyer && addRefund(buyer, data),
    RefundFailed: (buyer, { data }) => buyer && addRefund(buyer, data),
    SubscriptionStarted: (known, event) => {
      const buyer = withSale(known, event);
      return { ...buyer, subscriptions_count: buyer.subscriptions_count + 1 };
    },
  },
};

type Event = EventOf<BuyerEvent, Exclude<BuyerEvent, FirstContact | RefundOutcome>['type']>;

type BuyerData = Event['data'] | FirstContact['data'] | RefundOutcome['data'];

function findBuyer(data: BuyerData): Buyer | null {
  return ('changes' in data ? data.changes.buyer : data.buyer) ?? null;
}

/** Anybody can name an address in a cart: it changes nothing of a buyer who is known. */
function toKnownBuyer(known: BuyerDocument | null, event: EventOf<BuyerEvent, FirstContact['type']>): BuyerDocument {
  return known ?? toNewBuyer(findBuyer(event.data)!, event);
}

/** Returns the buyer with the latest address and name; the name remains when a later sale has none. */
function withSale(known: BuyerDocument | null, event: Event): BuyerDocument {
  const buyer = event.data.buyer!;
  const { email, name } = buyer;
  return known === null ? toNewBuyer(buyer, event) : { ...known, email, name: name ?? known.name };
}

function toNewBuyer({ id, email, name }: Buyer, event: RecordedEvent<string, { readonly at: string }>): BuyerDocument {
  const { at } = event.data;
  return {
    ...toResourceValues('buyer', id, { ...event, data: { businessId: event.meta.business!, at } }),
    email,
    name,
    orders_count: 0,
    subscriptions_count: 0,
    spent: [],
    first_order_at: null,
    last_order_at: null,
    _address: unscopedSubjectOfBox(email),
  };
}

/** Adds the amounts to those of the same currency. */
function addSpent(spent: readonly SpentDocument[], more: SpentDocument): readonly SpentDocument[] {
  const before = spent.find(({ currency }) => currency === more.currency);
  if (before === undefined) return [...spent, more];
  const sum = {
    currency: more.currency,
    amount_cents: before.amount_cents + more.amount_cents,
    refunded_cents: before.refunded_cents + more.refunded_cents,
  };
  return spent.map((one) => (one === before ? sum : one));
}

function addRefund(buyer: BuyerDocument, data: RefundOutcome['data']): BuyerDocument {
  const refund = { currency: data.currency, amount_cents: 0, refunded_cents: toRefundedCents(data) };
  return { ...buyer, spent: addSpent(buyer.spent, refund) };
}
