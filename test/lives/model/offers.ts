import type { Plan } from './catalogue.js';
import { CREATED, type Model, OK, type Outcome, refuse } from './model.js';
import type { Order } from './orders.js';
import { type Fields, nameOf, Open, refer } from './template.js';
import { addDays } from './times.js';

const VALID_DAYS = 30;
const MAX_RESENDS = 10;
const A_LINK = new Open((value) => typeof value === 'string' && value.startsWith('http'));

export interface Offer {
  readonly key: string;
  readonly createdAt: string;
  readonly plan: Plan;
  readonly email: string;
  /** The person who had the address then. */
  readonly buyer: string;
  readonly amount: number;
  readonly expiresAt: string;
  status: 'draft' | 'sent' | 'accepted' | 'cancelled' | 'expired';
  sentAt: string | null;
  lastSentAt: string | null;
  sentCount: number;
  acceptedAt: string | null;
  cancelledAt: string | null;
  order: string | null;
}

/** Offers: each is a price of one plan for one buyer. */
export class Offers {
  readonly all: Offer[] = [];

  constructor(private readonly model: Model) {}

  /** @param send whether the offer is sent at once */
  create(
    plan: Plan,
    email: string,
    amount: number,
    send: boolean,
  ): { readonly outcome: Outcome; readonly offer: Offer | null } {
    const outcome = this.model.catalogue.refuseLine(this.model.catalogue.productOf(plan), plan);
    if (outcome.status !== 201) return { outcome, offer: null };
    const { now } = this.model;
    const offer: Offer = {
      ...{ key: this.model.newKey('off'), createdAt: now, plan, email, amount, expiresAt: addDays(now, VALID_DAYS) },
      buyer: this.model.buyers.personOf(email),
      ...{ status: 'draft', sentAt: null, lastSentAt: null, sentCount: 0 },
      ...{ acceptedAt: null, cancelledAt: null, order: null },
    };
    this.all.push(offer);
    this.model.buyers.meet(email);
    this.model.schedule(offer.expiresAt, () => {
      if (offer.status === 'draft' || offer.status === 'sent') this.change(offer, { status: 'expired' });
    });
    this.model.touch(offer.key);
    if (send) this.markSent(offer);
    return { outcome: CREATED, offer };
  }

  send(offer: Offer): Outcome {
    return offer.status === 'sent' ? OK : this.sendAgain(offer);
  }

  resend(offer: Offer): Outcome {
    return offer.status === 'draft' ? refuse(422, 'offer_not_sent') : this.sendAgain(offer);
  }

  cancel(offer: Offer): Outcome {
    if (offer.status === 'cancelled') return OK;
    const refused = this.findEnd(offer);
    return refused ?? this.change(offer, { status: 'cancelled', cancelledAt: this.model.now });
  }

  /** Refuses a cart of the offer. */
  refuseCart(offer: Offer, email: string): Outcome {
    if (offer.status === 'draft') return refuse(422, 'offer_not_sent');
    if (offer.status === 'accepted') return refuse(422, 'offer_already_accepted');
    if (offer.status !== 'sent') return refuse(422, `offer_${offer.status}`);
    if (offer.email !== email) return refuse(422, 'offer_buyer_mismatch');
    return this.model.catalogue.refuseLine(this.model.catalogue.productOf(offer.plan), offer.plan);
  }

  accept(offer: Offer, order: Order): void {
    this.change(offer, { status: 'accepted', acceptedAt: this.model.now, order: order.key });
  }

  private sendAgain(offer: Offer): Outcome {
    if (offer.status === 'cancelled') return refuse(422, 'offer_not_sendable');
    const refused = this.findEnd(offer);
    if (refused !== null) return refused;
    if (offer.sentCount > MAX_RESENDS) return refuse(429, 'rate_limited');
    const { catalogue } = this.model;
    if (catalogue.refuseLine(catalogue.productOf(offer.plan), offer.plan).status !== 201)
      return refuse(422, 'offer_not_sendable');
    return this.markSent(offer);
  }

  private findEnd({ status }: Offer): Outcome | null {
    if (status === 'accepted') return refuse(422, 'offer_already_accepted');
    return status === 'expired' ? refuse(422, 'offer_expired') : null;
  }

  private markSent(offer: Offer): Outcome {
    const { now } = this.model;
    const [sentAt, sentCount] = [offer.sentAt ?? now, offer.sentCount + 1];
    return this.change(offer, { status: 'sent', sentAt, lastSentAt: now, sentCount });
  }

  private change(offer: Offer, fields: Partial<Offer>): Outcome {
    Object.assign(offer, fields);
    this.model.touch(offer.key);
    return OK;
  }

  render(offer: Offer): Fields {
    return {
      ...{ id: nameOf(offer.key), object: 'offer', business: { object: 'business', id: nameOf('biz') } },
      ...{ created_at: offer.createdAt, status: offer.status },
      product: refer('product', this.model.catalogue.productOf(offer.plan).key),
      plan: refer('payment_plan', offer.plan.key),
      buyer: this.model.buyers.refer(offer.buyer),
      ...{ amount_cents: offer.amount, currency: offer.plan.currency, message: null, expires_at: offer.expiresAt },
      ...{ sent_at: offer.sentAt, last_sent_at: offer.lastSentAt, sent_count: offer.sentCount },
      ...{ accepted_at: offer.acceptedAt, cancelled_at: offer.cancelledAt },
      order: refer('order', offer.order),
      accept_url: A_LINK,
    };
  }
}
