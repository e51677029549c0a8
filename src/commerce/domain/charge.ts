import type { Buyer } from './buyer.js';

/** Begins the key of each charge that follows the initial one of its order. */
export const LATER_CHARGE = 'renewal:';

/**
 * The result of a charge. `unknown`: the response was lost, so check the status and never charge again. `isDisputed`: the
 * simulated gateway opens a dispute of the payment later.
 */
export type ChargeResult =
  | {
      readonly status: 'succeeded';
      readonly reference: string;
      readonly method: PaymentMethod;
      readonly isDisputed?: true;
    }
  | {
      readonly status: 'declined';
      readonly code: string;
      readonly detail: string;
      readonly hard: boolean;
      readonly method: PaymentMethod | null;
    }
  | { readonly status: 'pending' }
  | { readonly status: 'unknown' };

export interface PaymentMethod {
  readonly type: string;
  readonly brand: string | null;
  readonly last4: string | null;
}

/**
 * The charge of a payment: who pays, how much, and for which order. `subscriptionId` is set for renewals only,
 * `installmentPlanId` for installments only.
 */
export interface Charge {
  readonly paymentId: string;
  readonly businessId: string;
  readonly kind: 'initial' | 'renewal' | 'installment';
  readonly orderId: string;
  readonly subscriptionId: string | null;
  readonly installmentPlanId?: string;
  readonly invoiceId: string;
  readonly buyer: Buyer;
  readonly amountCents: number;
  readonly currency: string;
  readonly gateway: string;
  readonly methodToken: string;
}

/** Returns the gateway's idempotency key: repeated requests make one charge per payment. */
export function chargeKeyOf({ kind, paymentId, methodToken }: Charge): string {
  const key = `${paymentId}:${methodToken}`;
  return kind === 'initial' ? key : `${LATER_CHARGE}${key}`;
}
