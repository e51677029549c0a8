import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../engine/encryption/personal-fields.js';
import { isKnownAgain } from '../engine/encryption/subject-names.js';
import { Subjects } from '../identity/subjects.js';
import { subjectOfBox } from '../kernel/encrypted-field.js';
import { type Buyer, buyerIdAfterErasure, buyerIdOf, type BuyerOwner } from './domain/buyer.js';

/** The buyer fields of a request body. */
export interface BuyerFields {
  readonly email: string;
  readonly name: string | null;
}

/** A buyer is one address in one business and mode. An address that is given again after its erasure is another buyer. */
@Injectable()
export class Buyers {
  constructor(
    private readonly personal: PersonalFields,
    private readonly subjects: Subjects,
  ) {}

  /** Encrypts the fields for this buyer alone, so that a business can forget its buyer and no other business is affected. */
  async encrypt(owner: BuyerOwner, { email, name }: BuyerFields): Promise<Buyer> {
    const scope = this.findScope(owner, email);
    const address = await this.personal.encryptEmail(email, scope);
    const id = toBuyerId(scope, subjectOfBox(address));
    return { id, email: address, name: name === null ? null : await this.personal.encryptLike(address, name) };
  }

  /** Returns the id that the buyer with this address has now, whether the business knows the address or not. */
  async findId(owner: BuyerOwner, email: string): Promise<string> {
    const scope = this.findScope(owner, email);
    return toBuyerId(scope, await this.subjects.findScoped(email, scope));
  }

  private findScope(owner: BuyerOwner, email: string): string {
    return buyerIdOf(owner, this.personal.hash(email));
  }
}

function toBuyerId(scope: string, subject: string): string {
  return isKnownAgain(subject) ? buyerIdAfterErasure(subject) : scope;
}
