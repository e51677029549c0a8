import type Stripe from 'stripe';
import type { RefundResult } from '../../domain/refund-result.js';
import type { StripeErrorFields } from './charge-results.js';

const DECLINED = 'refund_declined';

export function toRefundResult({ id, status, failure_reason: reason }: Stripe.Refund): RefundResult {
  switch (status) {
    case 'succeeded':
      return { status: 'succeeded', reference: id };
    case 'failed':
    case 'canceled':
      return { status: 'declined', code: reason ?? DECLINED, detail: `The refund ${status} at the payment gateway.` };
    default:
      return { status: 'pending' };
  }
}

/** Returns the result that the error proves. Any other error leaves it open whether the refund was made. */
export function toFailedRefund(error: unknown): RefundResult {
  const { type, code, message } = error as StripeErrorFields;
  if (type !== 'StripeInvalidRequestError' && type !== 'StripeCardError') return { status: 'unknown' };
  return { status: 'declined', code: code ?? DECLINED, detail: message ?? 'The payment gateway refused the refund.' };
}
