import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { type Buyer, createBuyer } from '../domain/buyer.js';

/** The buyer fields of a request body. */
export interface BuyerFields {
  readonly email: string;
  readonly name: string | null;
}

@Injectable()
export class Buyers {
  constructor(private readonly personal: PersonalFields) {}

  async encrypt(businessId: string, { email, name }: BuyerFields): Promise<Buyer> {
    const address = await this.personal.sealEmail(email);
    return createBuyer(businessId, address, name === null ? null : await this.personal.seal(email, name));
  }
}
