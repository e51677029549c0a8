import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';

/** The business that the caller acts for. */
export function businessOf({ business }: Context): string {
  if (business === null) throw new Rejection('business_access_denied', 'Say which business this is for.');
  return business;
}
