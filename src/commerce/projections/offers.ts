import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  nullable,
  ref,
  resource,
  string,
  uri,
} from '../../kernel/schema.js';
import type { OfferEvent } from '../domain/offer.js';
import { OFFER_STATUSES } from '../domain/offer-rules.js';
import {
  BUYER_PATH,
  buyerSchema,
  centsSchema,
  planReference,
  productReference,
  resourceFields,
  toBuyerDocument,
  toResourceValues,
} from './resources.js';

export const offerSchema = resource('Offer', {
  ...resourceFields('offer', 'off'),
  status: describe(
    enumOf(...OFFER_STATUSES),
    'Whether the offer is not sent yet (`draft`), can be accepted (`sent`), was bought (`accepted`), was withdrawn by the seller (`cancelled`), or was not accepted in time (`expired`).',
  ),
  product: describe(productReference, 'The product that is offered.'),
  plan: describe(planReference, 'The payment plan of the product by which it is bought.'),
  buyer: describe(buyerSchema, 'The person to whom the product is offered.'),
  amount_cents: describe(centsSchema, 'The price of one charge in cents, instead of that of the plan.'),
  currency,
  message: describe(
    nullable(string),
    'The text of the seller in the mail to the buyer, or null.',
    'Thank you for the call. This is your price.',
  ),
  expires_at: describe(
    dateTime,
    'The time at which the offer expires unless it is accepted.',
    '2026-03-02T09:30:00.000Z',
  ),
  sent_at: describe(nullable(dateTime), 'The time at which the offer was sent first, or null before that.'),
  last_sent_at: describe(nullable(dateTime), 'The time at which the offer was sent last, or null before that.'),
  sent_count: describe(integer, 'The number of times that the offer was sent.'),
  accepted_at: describe(
    nullable(dateTime),
    'The time at which the order of the offer was completed, or null before that.',
  ),
  cancelled_at: describe(nullable(dateTime), 'The time at which the seller cancelled the offer, or null before that.'),
  order: describe(nullable(ref('order', 'ord')), 'The order that bought the offer, or null before that.'),
  accept_url: describe(
    uri,
    'The link in the mail: a page of the shop, which creates a cart with this offer.',
    'https://example.com/offers/off_01kg9p6je0grr0rycz01afc5br',
  ),
});

export interface OfferDocument extends DocumentOf<typeof offerSchema>, Owned {}

/** A reservation is not shown: the offer stays `sent` until its order is completed. */
export const offers: Projection<OfferDocument, OfferEvent> = {
  name: 'offers',
  version: 2,
  id: pickId('offerId'),
  ...declareLists([[], ['status']], [[BUYER_PATH]]),
  on: {
    OfferCreated: (_, event) => toOfferDocument(event),
    OfferSent: (offer, { data: { sending, at } }) =>
      offer && { ...offer, status: 'sent', sent_at: offer.sent_at ?? at, last_sent_at: at, sent_count: sending },
    OfferReserved: (offer) => offer,
    OfferReservationRefused: (offer) => offer,
    OfferReleased: (offer) => offer,
    OfferAccepted: (offer, { data: { orderId, at } }) =>
      offer && { ...offer, status: 'accepted', accepted_at: at, order: toReference('order', orderId) },
    OfferCancelled: (offer, { data: { at } }) => offer && { ...offer, status: 'cancelled', cancelled_at: at },
    OfferExpired: (offer) => offer && { ...offer, status: 'expired' },
  },
};

function toOfferDocument(event: EventOf<OfferEvent, 'OfferCreated'>): OfferDocument {
  const { offerId, productId, planId, terms, buyer, amountCents, message, expiresAt, acceptUrl } = event.data;
  return {
    ...toResourceValues('offer', offerId, event),
    status: 'draft',
    product: toReference('product', productId),
    plan: toReference('payment_plan', planId),
    buyer: toBuyerDocument(buyer),
    amount_cents: amountCents,
    currency: terms.currency,
    message,
    expires_at: expiresAt,
    sent_at: null,
    last_sent_at: null,
    sent_count: 0,
    accepted_at: null,
    cancelled_at: null,
    order: null,
    accept_url: acceptUrl,
  };
}
