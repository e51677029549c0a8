import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../engine/encryption/personal-fields.js';
import type { Caller, CallerContext } from '../kernel/caller.js';
import type { EncryptedField } from '../kernel/encrypted-field.js';
import type { Owned } from '../kernel/ownership.js';
import { isSeller } from './domain/cart-access.js';
import { createBuyerMismatchRejection } from './domain/cart-offer.js';
import type { BuyerDocument } from './projections/resources.js';

interface Sold extends Owned {
  readonly offer: unknown;
  readonly buyer: BuyerDocument | null;
}

/** The offer names its buyer, and its link may be forwarded: only the seller and that buyer see the address. */
@Injectable()
export class CartBuyers {
  constructor(private readonly personal: PersonalFields) {}

  /** Masks the buyer of a cart or an order of an offer, unless the caller may see the address. */
  async maskFor<D extends Sold>({ caller }: CallerContext, document: D): Promise<D> {
    const { buyer, offer, _business: business } = document;
    if (!offer || buyer === null || isSeller(caller, business) || this.isVerified(caller, buyer.email)) return document;
    return { ...document, buyer: await this.mask(buyer) };
  }

  /** @throws Rejection offer_buyer_mismatch, when a signed-in buyer has verified another address */
  assertOfferIsFor({ email }: { readonly email: EncryptedField }, { caller }: CallerContext, businessId: string): void {
    if (isSeller(caller, businessId) || caller.kind !== 'session' || !caller.user?.email) return;
    if (!this.isVerified(caller, email)) throw createBuyerMismatchRejection();
  }

  private isVerified({ kind, user }: Caller, email: EncryptedField): boolean {
    return kind === 'session' && !!user?.email && this.personal.hash(user.email) === email.hash;
  }

  /** Encrypts the masked address as the address was, so that forgetting the buyer erases both. */
  private async mask(buyer: BuyerDocument): Promise<BuyerDocument> {
    const { email } = await this.personal.decrypt<{ email: unknown }>({ email: buyer.email });
    if (typeof email !== 'string') return { ...buyer, name: null };
    const masked = await this.personal.encryptLike(buyer.email, maskAddress(email));
    return { ...buyer, name: null, email: masked ?? buyer.email };
  }
}

/** Keeps the first character and the domain: `a…@example.com`. */
function maskAddress(email: string): string {
  const [first = ''] = email;
  return `${first}…${email.slice(email.lastIndexOf('@'))}`;
}
