import { IsEmail, IsOptional } from 'class-validator';
import { Trimmed } from '../../http/fields.js';
import type { BuyerFields } from '../commands/buyers.js';
import { Name } from './fields.js';

export class BuyerBody {
  @Trimmed()
  @IsEmail()
  email!: string;

  @IsOptional()
  @Name()
  name?: string | null;
}

export function buyerFields(buyer: BuyerBody | null | undefined): BuyerFields | null {
  return buyer ? { email: buyer.email, name: buyer.name ?? null } : null;
}
