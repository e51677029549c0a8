import { IsOptional } from 'class-validator';
import { Describe } from '../../http/openapi/describe.js';
import { IsEmailAddress } from '../../http/validation/validators.js';
import type { BuyerFields } from '../buyers.js';
import { IsDisplayName } from './validators.js';

export class BuyerBody {
  @Describe('The e-mail address of the buyer; a business has one buyer for an address.', 'ada@example.com')
  @IsEmailAddress()
  email!: string;

  @Describe('The name of the buyer; null for none.', 'Ada Lovelace')
  @IsOptional()
  @IsDisplayName()
  name?: string | null;
}

export function toBuyerFields(buyer: BuyerBody | null | undefined): BuyerFields | null | undefined {
  return buyer && { email: buyer.email, name: buyer.name ?? null };
}
