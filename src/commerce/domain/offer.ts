import { addMs, DAY_MS } from '../../kernel/clock.js';
import type { DecisionContext } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import type { OwnedDecider, Owner } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Buyer } from './buyer.js';
import {
  assertBetweenSendings,
  createOfferRejection,
  isOpenOffer,
  type OfferStatus,
  type Sendings,
} from './offer-rules.js';
import { type PlanTerms, toTerms } from './payment-plan.js';
import type { KnownProduct } from './product.js';
import { assertSaleable, findBlockReason, limitToPlan, requirePlan } from './saleability.js';

const LIFETIME_MS = 30 * DAY_MS;

/** The price of one product for one buyer. `name` is that of the product, `acceptUrl` is the link in the mails. */
export interface OfferContent {
  readonly offerId: string;
  readonly productId: string;
  readonly planId: string;
  readonly name: string;
  readonly terms: PlanTerms;
  readonly buyer: Buyer;
  readonly amountCents: number;
  readonly message: string | null;
  readonly expiresAt: string;
  readonly acceptUrl: string;
}

/**
 * A checkout reserves the offer for its order before the charge, so that it is sold once. `expiresAt` of a released
 * offer is when its expiry is due, which is not before the release.
 */
export type OfferEvent =
  | Fact<'OfferCreated', OfferContent & { businessId: string; mode: Mode; at: string }>
  | OfferSent
  | Fact<'OfferReserved', { offerId: string; orderId: string; at: string }>
  | Fact<'OfferReservationRefused', { offerId: string; orderId: string; at: string }>
  | Fact<'OfferReleased', { offerId: string; orderId: string; at: string; expiresAt: string }>
  | Fact<'OfferAccepted', { offerId: string; orderId: string; at: string }>
  | Fact<'OfferCancelled', { offerId: string; at: string }>
  | Fact<'OfferExpired', { offerId: string; at: string }>;

/** `sending` counts from 1. */
export type OfferSent = Fact<'OfferSent', { offerId: string; sending: number; at: string }>;

/** `orderId` is the order that accepted the offer, or for which it is reserved. */
export interface KnownOffer extends Owner, Sendings {
  readonly status: OfferStatus;
  readonly content: OfferContent;
  readonly orderId: string | null;
}

export type Offer = { readonly status: 'unknown' } | KnownOffer;

function evolve(offer: Offer, event: OfferEvent): Offer {
  if (event.type === 'OfferCreated') return applyCreated(event.data);
  if (offer.status === 'unknown') return offer;

  switch (event.type) {
    case 'OfferSent':
      return { ...offer, status: 'sent', sentCount: event.data.sending, lastSentAt: event.data.at };
    case 'OfferReserved':
      return { ...offer, orderId: event.data.orderId };
    case 'OfferReservationRefused':
      return offer;
    case 'OfferReleased':
      return { ...offer, orderId: null };
    case 'OfferAccepted':
      return { ...offer, status: 'accepted', orderId: event.data.orderId };
    case 'OfferCancelled':
      return { ...offer, status: 'cancelled' };
    case 'OfferExpired':
      return { ...offer, status: 'expired' };
  }
}

function applyCreated({ businessId, mode, at: _, ...content }: Extract<OfferEvent, { type: 'OfferCreated' }>['data']) {
  const sendings = { sentCount: 0, lastSentAt: null };
  return { status: 'draft', business: businessId, mode, content, orderId: null, ...sendings } as const;
}

/** `currency` is null for that of the plan, `planId` for the first active plan, `expiresAt` for 30 days. */
interface CreateOffer {
  readonly type: 'CreateOffer';
  readonly offer: Pick<OfferContent, 'offerId' | 'buyer' | 'amountCents' | 'message' | 'acceptUrl'>;
  readonly owner: { readonly businessId: string; readonly mode: Mode };
  readonly product: KnownProduct;
  readonly planId: string | null;
  readonly currency: string | null;
  readonly expiresAt: string | null;
  readonly send: boolean;
}

/** `product` is the current product of the offer. */
export type OfferCommand =
  | CreateOffer
  | { readonly type: 'SendOffer' | 'ResendOffer'; readonly product: KnownProduct }
  | { readonly type: 'CancelOffer' | 'WithdrawOffer' | 'ExpireOffer' }
  | { readonly type: 'ReserveOffer' | 'ReleaseOffer' | 'AcceptOffer'; readonly orderId: string };

function decide(command: OfferCommand, offer: Offer, { now }: DecisionContext): readonly OfferEvent[] {
  if (command.type === 'CreateOffer') return offer.status === 'unknown' ? create(command, now) : [];
  if (offer.status === 'unknown') throw Rejection.notFound();

  const { offerId, expiresAt } = offer.content;
  switch (command.type) {
    case 'SendOffer':
      return offer.status === 'sent' ? [] : send(command.product, offer, now);
    case 'ResendOffer':
      if (offer.status === 'draft') throw createOfferRejection('offer_not_sent');
      return send(command.product, offer, now);
    case 'CancelOffer':
      return cancel(offer, now);
    case 'WithdrawOffer':
      return isOpenOffer(statusAt(offer, now)) ? cancel(offer, now) : [];
    case 'ExpireOffer':
      return offer.status !== 'expired' && statusAt(offer, now) === 'expired'
        ? [{ type: 'OfferExpired', data: { offerId, at: now } }]
        : [];
    case 'ReserveOffer':
      return offer.orderId === command.orderId ? [] : reserve(command.orderId, offer, now);
    case 'ReleaseOffer': {
      const data = { offerId, orderId: command.orderId, at: now, expiresAt: now > expiresAt ? now : expiresAt };
      return isReservedFor(command.orderId, offer) ? [{ type: 'OfferReleased', data }] : [];
    }
    case 'AcceptOffer': {
      const data = { offerId, orderId: command.orderId, at: now };
      return isReservedFor(command.orderId, offer) ? [{ type: 'OfferAccepted', data }] : [];
    }
  }
}

function create({ offer, owner, product, planId, send, ...command }: CreateOffer, at: string): readonly OfferEvent[] {
  const expiresAt = command.expiresAt ?? addMs(at, LIFETIME_MS);
  if (expiresAt <= at) throw Rejection.ofField('expires_at', 'invalid_value', 'expires_at must be in the future.');
  assertSaleable(product);
  const plan = requirePlan(product.plans, planId);
  if (command.currency !== null && command.currency !== plan.currency)
    throw new Rejection('currency_mismatch', 'The plan has another currency.', 'currency');

  const sold = { productId: product.id, planId: plan.planId, name: product.content.name, terms: toTerms(plan) };
  const created = { type: 'OfferCreated', data: { ...owner, ...offer, ...sold, expiresAt, at } } as const;
  return send ? [created, { type: 'OfferSent', data: { offerId: offer.offerId, sending: 1, at } }] : [created];
}

function send(product: KnownProduct, offer: KnownOffer, at: string): readonly OfferEvent[] {
  const status = statusAt(offer, at);
  if (status === 'cancelled') throw createOfferRejection('offer_not_sendable');
  assertNotEnded(status);
  assertNotReserved(offer);
  assertBetweenSendings(offer, offer.content.expiresAt, at);
  if (findBlockReason(limitToPlan(product, offer.content.planId)) !== 'none')
    throw createOfferRejection('offer_not_sendable');
  return [{ type: 'OfferSent', data: { offerId: offer.content.offerId, sending: offer.sentCount + 1, at } }];
}

function cancel(offer: KnownOffer, at: string): readonly OfferEvent[] {
  const status = statusAt(offer, at);
  if (status === 'cancelled') return [];
  assertNotEnded(status);
  assertNotReserved(offer);
  return [{ type: 'OfferCancelled', data: { offerId: offer.content.offerId, at } }];
}

/** The refusal is recorded, so that the request and `finish-checkouts` continue in the same way. */
function reserve(orderId: string, offer: KnownOffer, at: string): readonly OfferEvent[] {
  const isFree = statusAt(offer, at) === 'sent' && offer.orderId === null;
  const data = { offerId: offer.content.offerId, orderId, at };
  return [{ type: isFree ? 'OfferReserved' : 'OfferReservationRefused', data }];
}

function isReservedFor(orderId: string, { status, orderId: current }: KnownOffer): boolean {
  return status === 'sent' && current === orderId;
}

/** Returns the status at this time. A reserved offer does not expire. */
function statusAt({ status, orderId, content: { expiresAt } }: KnownOffer, now: string): OfferStatus {
  return isOpenOffer(status) && orderId === null && now >= expiresAt ? 'expired' : status;
}

function assertNotEnded(status: OfferStatus): void {
  if (status === 'accepted') throw createOfferRejection('offer_already_accepted');
  if (status === 'expired') throw createOfferRejection('offer_expired');
}

/** Rejects a change while a checkout of the offer waits for its payment, because the result of the payment decides. */
function assertNotReserved({ status, orderId }: KnownOffer): void {
  if (status !== 'accepted' && orderId !== null)
    throw new Rejection('concurrent_update', 'A checkout of the offer waits for its payment. Try again.');
}

/** @throws Rejection, when the offer cannot be accepted now */
export function assertAcceptable(offer: KnownOffer, now: string): void {
  const status = statusAt(offer, now);
  if (status === 'draft') throw createOfferRejection('offer_not_sent', 'offer_id');
  if (status === 'sent') return;
  throw createOfferRejection(status === 'accepted' ? 'offer_already_accepted' : `offer_${status}`, 'offer_id');
}

/** @throws Rejection, when the offer cannot be accepted now, or waits for the payment of another order */
export function assertFree(offer: KnownOffer, now: string): void {
  assertAcceptable(offer, now);
  assertNotReserved(offer);
}

export const offerDecider: OwnedDecider<Offer, OfferCommand, OfferEvent, KnownOffer> = {
  category: 'offer',
  clock: 'business',
  versions: {
    OfferCreated: 1,
    OfferSent: 1,
    OfferReserved: 1,
    OfferReservationRefused: 1,
    OfferReleased: 1,
    OfferAccepted: 1,
    OfferCancelled: 1,
    OfferExpired: 1,
  },
  initial: { status: 'unknown' },
  isKnown: (offer) => offer.status !== 'unknown',
  ownerOf: (offer) => offer,
  evolve,
  decide,
};
