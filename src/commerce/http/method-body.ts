import { IsMethodToken } from './validators.js';

/** A new payment method. */
export class MethodBody {
  @IsMethodToken()
  token!: string;
}
