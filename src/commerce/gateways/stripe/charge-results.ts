import type Stripe from 'stripe';
import type { ChargeResult, PaymentMethod } from '../../domain/charge.js';
import { type StripeFailure, toDecline } from './decline-codes.js';

type Declined = Extract<ChargeResult, { status: 'declined' }>;

/** The fields of an error that the package throws. */
export interface StripeErrorFields extends StripeFailure {
  readonly type?: string;
  readonly statusCode?: number;
  readonly requestId?: string;
  readonly param?: string;
  readonly payment_method?: Stripe.PaymentMethod;
}

/** @param intent with `latest_charge` expanded */
export function toChargeResult(intent: Stripe.PaymentIntent): ChargeResult {
  switch (intent.status) {
    case 'succeeded':
      return { status: 'succeeded', reference: intent.id, method: readChargedMethod(intent) };
    case 'requires_payment_method':
      return toDeclined(intent.last_payment_error ?? {}, intent.last_payment_error?.payment_method);
    case 'canceled':
      return toDeclined({ code: 'canceled', message: 'The payment was cancelled at the payment gateway.' });
    default:
      return { status: 'pending' };
  }
}

/** Returns the result that the error proves. Any other error leaves it open whether the charge was made. */
export function toFailedCharge(error: unknown): ChargeResult {
  const failure = error as StripeErrorFields;
  if (failure.type === 'StripeCardError') return toDeclined(failure, failure.payment_method);
  if (failure.type !== 'StripeInvalidRequestError') return { status: 'unknown' };
  if (failure.param === 'payment_method') return createUnknownMethod(failure.message);
  return toDeclined({ ...failure, code: failure.code ?? 'invalid_request' });
}

/** Declines a method that the gateway does not know or that cannot be used again. */
export function createUnknownMethod(detail = 'The payment method is unknown.'): Declined {
  return toDeclined({ code: 'payment_method_invalid', message: detail });
}

export function toDeclined(failure: StripeFailure, method?: Stripe.PaymentMethod): Declined {
  return { status: 'declined', ...toDecline(failure), method: method === undefined ? null : toMethod(method) };
}

function readChargedMethod({ latest_charge: charge }: Stripe.PaymentIntent): PaymentMethod {
  const details = typeof charge === 'object' ? charge?.payment_method_details : null;
  return details ? toMethod(details) : { type: 'unknown', brand: null, last4: null };
}

function toMethod({ type, card }: Pick<Stripe.Charge.PaymentMethodDetails, 'type' | 'card'> | Stripe.PaymentMethod) {
  return { type, brand: card?.brand ?? null, last4: card?.last4 ?? null };
}
