import { Injectable } from '@nestjs/common';
import { scopedSubjectOfBox, unscopedSubjectOfBox } from '../../engine/encryption/subject-names.js';
import { Streams } from '../../engine/streams/streams.js';
import { subjectDecider } from '../../identity/domain/subject.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Buyer } from '../domain/buyer.js';
import { cartDecider, createNotOpenRejection } from '../domain/cart.js';
import type { CartEvent, KnownCart } from '../domain/cart-state.js';
import { listInstallmentPlanIds } from '../domain/installment-start.js';
import { type KnownOffer, type OfferContent, offerDecider } from '../domain/offer.js';
import { createOfferRejection } from '../domain/offer-rules.js';
import type { PlacedOrder } from '../domain/order.js';
import type { Sale } from '../domain/sale.js';
import { subscriptionDecider } from '../domain/subscription.js';
import type { SubscriptionEvent } from '../domain/subscription-events.js';
import type { Subscription } from '../domain/subscription-state.js';
import { Installments } from './installments.steps.js';
import { Renewals } from './renewals.steps.js';

/** Why a subscription of a forgotten buyer ends. */
const FORGOTTEN = 'buyer_forgotten';

interface StartedCharges {
  readonly subscriptionIds: readonly string[];
  readonly planIds: readonly string[];
}

/**
 * Refuses to sell what a person wanted before the erasure. It decides by the order of the log, so a checkout that is
 * faster than the end of the person's carts and offers is refused as a later one is. A person who buys again later
 * gives the address again, and is charged.
 */
@Injectable()
export class ForgottenBuyers {
  constructor(
    private readonly streams: Streams,
    private readonly renewals: Renewals,
    private readonly installments: Installments,
  ) {}

  /** @throws Rejection cart_not_open or offer_cancelled, when its buyer was forgotten since */
  async assertNone({ id, content: { buyer } }: KnownCart, offer: KnownOffer | null): Promise<void> {
    if (buyer !== null && (await this.isForgottenOf(buyer, () => this.findNaming(id, buyer))))
      throw createNotOpenRejection();
    if (offer !== null && (await this.isOfferForgotten(offer.content)))
      throw createOfferRejection('offer_cancelled', 'offer_id');
  }

  /** Whether the buyer of a checkout was forgotten after the cart, or its offer, had named the buyer. */
  async isForgotten({ cartId, buyer, offer }: Pick<Sale, 'cartId' | 'buyer' | 'offer'>): Promise<boolean> {
    if (await this.isForgottenOf(buyer, () => this.findNaming(cartId, buyer))) return true;
    return !!offer && this.isOfferForgotten({ offerId: offer.offerId, buyer });
  }

  /** Whether the buyer of an offer was forgotten after its creation. */
  async isOfferForgotten(offer: Pick<OfferContent, 'offerId' | 'buyer'>): Promise<boolean> {
    return this.isForgottenOf(offer.buyer, () => this.findOffering(offer));
  }

  /**
   * Ends the subscriptions and installments of an order whose buyer was forgotten during the checkout: the search of the
   * erasure may be older than they are.
   */
  async endStarted(placed: PlacedOrder, context: Context): Promise<void> {
    const subscriptionIds = placed.lines.flatMap(({ subscriptionId }) => subscriptionId ?? []);
    const planIds = listInstallmentPlanIds(placed);
    if (subscriptionIds.length + planIds.length === 0 || !(await this.isForgotten(placed))) return;
    await this.end({ subscriptionIds, planIds }, context);
  }

  /** Ends subscriptions and installments at once, and closes their invoices. A repeated call has no effect. */
  async end({ subscriptionIds, planIds }: StartedCharges, context: Context): Promise<void> {
    for (const id of subscriptionIds) await this.endSubscription(id, createChildContext(context, 'forgotten', id));
    for (const id of planIds) await this.installments.cancelIfOpen(id, createChildContext(context, 'forgotten', id));
  }

  private async endSubscription(id: string, context: Context): Promise<void> {
    if (!isActiveSubscription(await this.streams.loadState(subscriptionDecider, id))) return;
    const command = { type: 'CancelSubscription', mode: 'immediately', reason: FORGOTTEN } as const;
    const { recorded } = await this.streams.execute(subscriptionDecider, id, command, context);
    for (const event of recorded as readonly RecordedOf<SubscriptionEvent>[])
      await this.renewals.closeInvoices(event, context.consistency);
  }

  private async isForgottenOf(buyer: Buyer, findPosition: () => Promise<Position>): Promise<boolean> {
    const erasure = await this.findErasure(buyer);
    return erasure > START && erasure > (await findPosition());
  }

  /** Returns where the log forgets the buyer in the business, or the address everywhere; START for a known person. */
  private async findErasure({ id, email }: Buyer): Promise<Position> {
    const subjects = [unscopedSubjectOfBox(email), scopedSubjectOfBox(email, id)];
    const erasures = await Promise.all(subjects.map((subject) => this.streams.loadHistory(subjectDecider, subject)));
    return erasures.flat().reduce((latest, { position }) => pickLater(latest, position), START);
  }

  private async findOffering({ offerId }: Pick<OfferContent, 'offerId'>): Promise<Position> {
    const [created] = await this.streams.loadHistory(offerDecider, offerId);
    return created!.position;
  }

  /**
   * Returns the position of the event that named the buyer. Each request with an address encrypts it again, so this is
   * the first event with the ciphertext. A checkout without a buyer in its body has the ciphertext of the cart.
   */
  private async findNaming(cartId: string, { email: { box } }: Buyer): Promise<Position> {
    const history = await this.streams.loadHistory(cartDecider, cartId);
    return history.find((event) => findNamed(event)?.email.box === box)!.position;
  }
}

export function isActiveSubscription({ status }: Subscription): boolean {
  return status !== 'unknown' && status !== 'cancelled';
}

function findNamed(event: RecordedEvent): Buyer | null | undefined {
  const { type, data } = event as unknown as CartEvent;
  if (type === 'CartEdited') return data.changes.buyer;
  return type === 'CartCreated' || type === 'CartCheckedOut' ? data.buyer : null;
}
