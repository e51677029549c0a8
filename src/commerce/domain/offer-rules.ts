import { addMs } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';

export const OFFER_STATUSES = ['draft', 'sent', 'accepted', 'cancelled', 'expired'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

const MIN_INTERVAL_SECONDS = 60;
const MAX_RESENDINGS = 10;

const DETAILS = {
  offer_not_sendable: 'The offer is cancelled, or its product cannot be sold.',
  offer_not_sent: 'The offer is a draft.',
  offer_already_accepted: 'The buyer has accepted the offer.',
  offer_expired: 'The offer has expired.',
  offer_cancelled: 'The offer is cancelled.',
};

/** The number of times that an offer was sent, and the last time. */
export interface Sendings {
  readonly sentCount: number;
  readonly lastSentAt: string | null;
}

/** Whether the offer can be sent or accepted. */
export function isOpenOffer(status: OfferStatus): boolean {
  return status === 'draft' || status === 'sent';
}

export function createOfferRejection(code: keyof typeof DETAILS, param?: string): Rejection {
  return new Rejection(code, DETAILS[code], param);
}

/** After the last resend the answer changes when the offer expires. @throws Rejection rate_limited */
export function assertBetweenSendings({ sentCount, lastSentAt }: Sendings, expiresAt: string, now: string): void {
  if (sentCount > MAX_RESENDINGS)
    throw Rejection.rateLimited(`An offer is sent again at most ${MAX_RESENDINGS} times.`, { now, until: expiresAt });
  if (lastSentAt === null) return;
  const until = addMs(lastSentAt, MIN_INTERVAL_SECONDS * 1000);
  if (now < until)
    throw Rejection.rateLimited(`An offer is sent at most once in ${MIN_INTERVAL_SECONDS} seconds.`, { now, until });
}
