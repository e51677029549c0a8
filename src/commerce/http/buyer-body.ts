import { IsOptional } from 'class-validator';
import { IsEmailAddress } from '../../http/validation/validators.js';
import type { BuyerFields } from '../commands/buyers.steps.js';
import { IsDisplayName } from './validators.js';

export class BuyerBody {
  @IsEmailAddress()
  email!: string;

  @IsOptional()
  @IsDisplayName()
  name?: string | null;
}

export function toBuyerFields(buyer: BuyerBody | null | undefined): BuyerFields | null | undefined {
  return buyer && { email: buyer.email, name: buyer.name ?? null };
}
