import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
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
  status: enumOf(...OFFER_STATUSES),
  product: productReference,
  plan: planReference,
  buyer: buyerSchema,
  amount_cents: centsSchema,
  currency,
  message: nullable(string),
  expires_at: dateTime,
  sent_at: nullable(dateTime),
  last_sent_at: nullable(dateTime),
  sent_count: integer,
  accepted_at: nullable(dateTime),
  cancelled_at: nullable(dateTime),
  order: nullable(ref('order', 'ord')),
  accept_url: uri,
});

export interface OfferDocument extends DocumentOf<typeof offerSchema>, Owned {}

/** A reservation is not shown: the offer stays `sent` until its order is completed. */
export const offers: Projection<OfferDocument, OfferEvent> = {
  name: 'offers',
  version: 1,
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
