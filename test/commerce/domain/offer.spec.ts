import {
  assertAcceptable,
  assertFree,
  type KnownOffer,
  type OfferCommand,
  offerDecider,
  type OfferEvent,
} from '../../../src/commerce/domain/offer.js';
import { addMs } from '../../../src/kernel/clock.js';
import { fold } from '../../../src/kernel/decider.js';
import { given } from '../../support/given.js';
import { ada, course, EARLIER, NOW, once, plan } from './facts.js';

const offerId = 'off_1';
const content = {
  offerId,
  buyer: ada,
  amountCents: 1900,
  message: null,
  acceptUrl: 'https://example.com/offers/off_1',
};
const owner = { businessId: 'biz_1', mode: 'live' } as const;
const EXPIRES_AT = '2026-03-02T09:00:00.000Z';
const create = {
  type: 'CreateOffer',
  offer: content,
  owner,
  product: course,
  planId: null,
  currency: null,
  expiresAt: null,
  send: false,
} as const;
const sold = { productId: 'prod_1', planId: 'plan_1', name: 'A course', terms: once };
const newOffer = { ...content, ...owner, ...sold, expiresAt: EXPIRES_AT };

const created: OfferEvent = { type: 'OfferCreated', data: { ...newOffer, at: EARLIER } };
const sent = (sending = 1, at = EARLIER): OfferEvent => ({ type: 'OfferSent', data: { offerId, sending, at } });
const reserved: OfferEvent = { type: 'OfferReserved', data: { offerId, orderId: 'ord_1', at: EARLIER } };
const released = (expiresAt = EXPIRES_AT, at = EARLIER): OfferEvent => ({
  type: 'OfferReleased',
  data: { offerId, orderId: 'ord_1', at, expiresAt },
});
const accepted: OfferEvent = { type: 'OfferAccepted', data: { offerId, orderId: 'ord_1', at: EARLIER } };
const cancelled: OfferEvent = { type: 'OfferCancelled', data: { offerId, at: EARLIER } };
const expired: OfferEvent = { type: 'OfferExpired', data: { offerId, at: EARLIER } };

const HISTORIES: Record<string, readonly OfferEvent[]> = {
  draft: [created],
  sent: [created, sent()],
  reserved: [created, sent(), reserved],
  released: [created, sent(), reserved, released()],
  accepted: [created, sent(), reserved, accepted],
  cancelled: [created, sent(), cancelled],
  expired: [created, sent(), expired],
};

const COMMANDS: Record<string, OfferCommand> = {
  create,
  send: { type: 'SendOffer', product: course },
  resend: { type: 'ResendOffer', product: course },
  cancel: { type: 'CancelOffer' },
  expire: { type: 'ExpireOffer' },
  reserve: { type: 'ReserveOffer', orderId: 'ord_1' },
  'reserve for another': { type: 'ReserveOffer', orderId: 'ord_2' },
  release: { type: 'ReleaseOffer', orderId: 'ord_1' },
  accept: { type: 'AcceptOffer', orderId: 'ord_1' },
};

/** Returns the type of the event, the code of the refusal, or `nothing`. */
function outcomeOf(state: string, command: string, now = NOW): string {
  try {
    const x = { now, createId: (prefix: string) => `${prefix}_1` };
    const [event] = offerDecider.decide(COMMANDS[command]!, fold(offerDecider, HISTORIES[state]!), x);
    return event?.type ?? 'nothing';
  } catch (refusal) {
    return (refusal as { code: string }).code;
  }
}

const REFUSED = 'OfferReservationRefused';
const UNSENT = 'nothing';

describe('An offer', () => {
  it.each([
    ['draft', 'nothing', 'OfferSent', 'offer_not_sent', 'OfferCancelled', REFUSED, REFUSED, UNSENT, UNSENT],
    ['sent', 'nothing', 'nothing', 'OfferSent', 'OfferCancelled', 'OfferReserved', 'OfferReserved', UNSENT, UNSENT],
    [
      'reserved',
      'nothing',
      'nothing',
      'concurrent_update',
      'concurrent_update',
      'nothing',
      REFUSED,
      'OfferReleased',
      'OfferAccepted',
    ],
    ['released', 'nothing', 'nothing', 'OfferSent', 'OfferCancelled', 'OfferReserved', 'OfferReserved', UNSENT, UNSENT],
    [
      'accepted',
      'nothing',
      'offer_already_accepted',
      'offer_already_accepted',
      'offer_already_accepted',
      'nothing',
      REFUSED,
      UNSENT,
      UNSENT,
    ],
    ['cancelled', 'nothing', 'offer_not_sendable', 'offer_not_sendable', 'nothing', REFUSED, REFUSED, UNSENT, UNSENT],
    ['expired', 'nothing', 'offer_expired', 'offer_expired', 'offer_expired', REFUSED, REFUSED, UNSENT, UNSENT],
  ])('that is %s answers each command', (state, ...outcomes) => {
    const names = Object.keys(COMMANDS).filter((name) => name !== 'expire');
    const expected = Object.fromEntries(names.map((name, i) => [name, outcomes[i]]));
    expect(Object.fromEntries(names.map((name) => [name, outcomeOf(state, name)]))).toEqual(expected);
  });

  it.each([
    ['draft', 'OfferExpired', 'offer_expired', 'offer_expired'],
    ['sent', 'OfferExpired', 'nothing', 'offer_expired'],
    ['reserved', 'nothing', 'nothing', 'concurrent_update'],
    ['released', 'OfferExpired', 'nothing', 'offer_expired'],
    ['accepted', 'nothing', 'offer_already_accepted', 'offer_already_accepted'],
    ['cancelled', 'nothing', 'offer_not_sendable', 'nothing'],
    ['expired', 'nothing', 'offer_expired', 'offer_expired'],
  ])('that is %s expires in time', (state, ...outcomes) => {
    expect(['expire', 'send', 'cancel'].map((name) => outcomeOf(state, name, EXPIRES_AT))).toEqual(outcomes);
    expect(outcomeOf(state, 'expire', addMs(EXPIRES_AT, -1))).toBe('nothing');
  });

  it('is not found before it is created', () =>
    given(offerDecider).when({ type: 'CancelOffer' }).thenRejects('not_found'));

  it('is released with an expiry that is due after the release', () =>
    given(offerDecider, created, sent(), reserved)
      .when({ type: 'ReleaseOffer', orderId: 'ord_1' }, { now: '2026-03-05T09:00:00.000Z' })
      .then(released('2026-03-05T09:00:00.000Z', '2026-03-05T09:00:00.000Z')));
});

describe('A new offer', () => {
  it('copies the terms of the first active plan, and expires after 30 days', () => {
    const data = { ...newOffer, expiresAt: '2026-03-03T09:00:00.000Z', at: NOW };
    given(offerDecider).when(create).then({ type: 'OfferCreated', data });
    given(offerDecider)
      .when({ ...create, send: true })
      .then({ type: 'OfferCreated', data }, sent(1, NOW));
  });

  it.each<[string, Partial<typeof create> | object, string, string]>([
    ['a product that waits for approval', { product: { ...course, approval: 'review' } }, 'not_saleable', 'product_id'],
    ['an archived plan', { planId: 'plan_9' }, 'plan_not_available', 'plan_id'],
    ['another currency', { currency: 'USD' }, 'currency_mismatch', 'currency'],
    ['an expiry in the past', { expiresAt: NOW }, 'validation_failed', 'expires_at'],
  ])('is refused with %s', (_, more, code, param) =>
    given(offerDecider)
      .when({ ...create, ...more })
      .thenRejects(code, param),
  );
});

describe('A sent offer', () => {
  const resend = { type: 'ResendOffer', product: course } as const;

  it('is sent again after a minute, and ten times', () => {
    const twice = [created, sent(), sent(2, NOW)];
    given(offerDecider, ...twice)
      .when(resend, { now: addMs(NOW, 20_000) })
      .thenLimits(40);
    given(offerDecider, ...twice)
      .when(resend, { now: addMs(NOW, 60_000) })
      .then(sent(3, addMs(NOW, 60_000)));
    given(offerDecider, created, sent(10)).when(resend).then(sent(11, NOW));
    given(offerDecider, created, sent(11))
      .when(resend)
      .thenLimits((Date.parse(created.data.expiresAt) - Date.parse(NOW)) / 1000);
  });

  it('is not sent again when its plan is archived', () => {
    const archived = { ...course, plans: [{ ...plan, status: 'archived' } as const, { ...plan, planId: 'plan_2' }] };
    given(offerDecider, created, sent())
      .when({ ...resend, product: archived })
      .thenRejects('offer_not_sendable');
  });
});

describe('The acceptance of an offer', () => {
  it.each([
    ['draft', 'offer_not_sent', 'offer_not_sent'],
    ['sent', 'nothing', 'nothing'],
    ['reserved', 'nothing', 'concurrent_update'],
    ['accepted', 'offer_already_accepted', 'offer_already_accepted'],
    ['cancelled', 'offer_cancelled', 'offer_cancelled'],
    ['expired', 'offer_expired', 'offer_expired'],
  ])('of one that is %s: in a cart %s, at the checkout %s', (state, ...outcomes) => {
    const offer = fold(offerDecider, HISTORIES[state]!) as KnownOffer;
    const codes = [assertAcceptable, assertFree].map((check) => {
      try {
        check(offer, NOW);
        return 'nothing';
      } catch (refusal) {
        return (refusal as { code: string }).code;
      }
    });
    expect(codes).toEqual(outcomes);
  });
});
