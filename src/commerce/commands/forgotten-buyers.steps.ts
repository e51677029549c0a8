import { Injectable } from '@nestjs/common';
import { scopedSubjectOfBox, unscopedSubjectOfBox } from '../../engine/encryption/personal-fields.js';
import { Streams } from '../../engine/streams/streams.js';
import { subjectDecider } from '../../identity/domain/subject.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Buyer } from '../domain/buyer.js';
import { cartDecider, createNotOpenRejection } from '../domain/cart.js';
import type { CartEvent, KnownCart } from '../domain/cart-state.js';
import { type KnownOffer, offerDecider } from '../domain/offer.js';
import { createOfferRejection } from '../domain/offer-rules.js';

/**
 * Refuses to sell what a person wanted before the erasure. It decides by the order of the log, so a checkout that is
 * faster than the end of the person's carts and offers is refused as a later one is. A person who buys again later
 * gives the address again, and is charged.
 */
@Injectable()
export class ForgottenBuyers {
  constructor(private readonly streams: Streams) {}

  /** @throws Rejection cart_not_open or offer_cancelled, when its buyer was forgotten since */
  async assertNone({ id, content: { buyer } }: KnownCart, offer: KnownOffer | null): Promise<void> {
    if (buyer !== null && (await this.isForgottenOf(buyer, () => this.findNaming(id)))) throw createNotOpenRejection();
    if (offer !== null && (await this.isForgottenOf(offer.content.buyer, () => this.findOffering(offer))))
      throw createOfferRejection('offer_cancelled', 'offer_id');
  }

  /** Whether the buyer was forgotten after this position. */
  async isForgottenSince(buyer: Buyer, position: Position): Promise<boolean> {
    return (await this.findErasure(buyer)) > position;
  }

  /** Returns where the log forgets the buyer in the business, or the address everywhere; START for a known person. */
  private async findErasure({ id, email }: Buyer): Promise<Position> {
    const subjects = [unscopedSubjectOfBox(email), scopedSubjectOfBox(email, id)];
    const erasures = await Promise.all(subjects.map((subject) => this.streams.loadHistory(subjectDecider, subject)));
    return erasures.flat().reduce((latest, { position }) => pickLater(latest, position), START);
  }

  private async isForgottenOf(buyer: Buyer, findPosition: () => Promise<Position>): Promise<boolean> {
    if (!(await this.isForgottenSince(buyer, START))) return false;
    return this.isForgottenSince(buyer, await findPosition());
  }

  private async findOffering({ content: { offerId } }: KnownOffer): Promise<Position> {
    const [created] = await this.streams.loadHistory(offerDecider, offerId);
    return created!.position;
  }

  /** Returns where the cart got its buyer. */
  private async findNaming(cartId: string): Promise<Position> {
    const history = await this.streams.loadHistory(cartDecider, cartId);
    return history.findLast(namesBuyer)!.position;
  }
}

function namesBuyer(event: RecordedEvent): boolean {
  const { type, data } = event as unknown as CartEvent;
  if (type === 'CartEdited') return data.changes.buyer !== undefined;
  return (type === 'CartCreated' && data.buyer !== null) || type === 'CartCheckedOut';
}
