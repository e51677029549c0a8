import { Injectable } from '@nestjs/common';
import { Personal } from '../../engine/sealing/personal.js';
import { buyerOf, type Buyer } from '../domain/buyer.js';

/** The buyer fields of a request body. */
export interface BuyerFields {
  readonly email: string;
  readonly name: string | null;
}

@Injectable()
export class Buyers {
  constructor(private readonly personal: Personal) {}

  async seal(businessId: string, { email, name }: BuyerFields): Promise<Buyer> {
    const address = await this.personal.sealEmail(email);
    return buyerOf(businessId, address, name === null ? null : await this.personal.seal(email, name));
  }
}
