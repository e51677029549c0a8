import type Stripe from 'stripe';
import type { Clock } from '../../../kernel/clock.js';

const MAX_AGE_SECONDS = 5 * 60;
const SENT_AT = /(?:^|,)t=(\d{1,15})(?:,|$)/;
const SIGNATURE = /(?:^|,)v1=[0-9a-f]{64}(?:,|$)/;

/** Verifies the signatures of the events of one account: the headers `Stripe-Signature`. */
export class EventSignatures {
  constructor(
    private readonly webhooks: Stripe['webhooks'],
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  /** Returns whether a header can be the signature of some event. */
  canBeValid(header: string): boolean {
    const [, sentAt] = SENT_AT.exec(header) ?? [];
    const isRecent = Math.floor(this.clock.now() / 1_000) - Number(sentAt) <= MAX_AGE_SECONDS;
    return isRecent && SIGNATURE.test(header);
  }

  /** @throws Error when the signature is wrong or older than 5 minutes */
  verify(bytes: Buffer, header: string): Stripe.Event {
    const now = this.clock.now();
    return this.webhooks.constructEvent(bytes.toString(), header, this.secret, MAX_AGE_SECONDS, undefined, now);
  }
}
