/**
 * Declines after which the same card never succeeds: Stripe recommends not to try again.
 * https://docs.stripe.com/declines/codes
 */
const HARD_DECLINES = new Set([
  'card_not_supported',
  'currency_not_supported',
  'expired_card',
  'fraudulent',
  'highest_risk_level',
  'incorrect_number',
  'invalid_account',
  'invalid_number',
  'lost_card',
  'merchant_blacklist',
  'payment_method_invalid',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stolen_card',
  'stop_payment_order',
  'transaction_not_allowed',
]);

/** The fields of an error of Stripe, or of the last error of a payment intent. */
export interface StripeFailure {
  readonly code?: string;
  readonly decline_code?: string;
  /** The card network's own advice. */
  readonly advice_code?: string;
  readonly message?: string;
}

export interface Decline {
  readonly code: string;
  readonly detail: string;
  readonly hard: boolean;
}

export function toDecline({ code, decline_code: reason, advice_code: advice, message }: StripeFailure): Decline {
  const decline = [reason === 'generic_decline' ? '' : reason, code].find(Boolean) ?? 'card_declined';
  const hard = HARD_DECLINES.has(decline) || advice === 'do_not_try_again';
  return { code: decline, detail: message ?? 'The payment was declined.', hard };
}
