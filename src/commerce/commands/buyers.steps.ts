import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { type Buyer, buyerIdOf, type BuyerOwner } from '../domain/buyer.js';

/** The buyer fields of a request body. */
export interface BuyerFields {
  readonly email: string;
  readonly name: string | null;
}

@Injectable()
export class Buyers {
  constructor(private readonly personal: PersonalFields) {}

  /** Encrypts the fields for this buyer alone, so that a business can forget its buyer and no other business is affected. */
  async encrypt(owner: BuyerOwner, { email, name }: BuyerFields): Promise<Buyer> {
    const id = buyerIdOf(owner, this.personal.hash(email));
    const address = await this.personal.encryptEmail(email, id);
    return { id, email: address, name: name === null ? null : await this.personal.encrypt(email, name, id) };
  }
}
