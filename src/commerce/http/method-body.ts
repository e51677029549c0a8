import { Describe } from '../../http/openapi/describe.js';
import { IsMethodToken } from './validators.js';

/** A new payment method. */
export class MethodBody {
  @Describe('The token of the new payment method at the gateway.', 'tok_ok')
  @IsMethodToken()
  token!: string;
}
