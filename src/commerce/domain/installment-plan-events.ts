import type { Fact } from '../../kernel/event.js';
import type { Cycle } from './billing-period.js';
import type { Buyer } from './buyer.js';
import type { SubscriptionDiscount } from './subscription-terms.js';

/** A line of an order that is paid in parts. Each part bills `amountCents`, less the discount. */
export interface InstallmentPlanStart extends Cycle {
  /** The id of the line. */
  readonly installmentPlanId: string;
  readonly businessId: string;
  readonly orderId: string;
  readonly productId: string;
  readonly planId: string;
  readonly name: string;
  readonly buyer: Buyer;
  readonly quantity: number;
  readonly unitAmountCents: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly discount: SubscriptionDiscount | null;
  /** All parts, with the one paid at checkout. */
  readonly installmentsCount: number;
  readonly methodToken: string | null;
  readonly startedAt: string;
}

/** The state of an installment plan, as its order shows it. */
export interface InstallmentProgress {
  readonly orderId: string;
  /** All parts, with the one paid at checkout. */
  readonly count: number;
  readonly paid: number;
  /** 1 when the charge of the next part has failed. */
  readonly failed: number;
  /** The amount that will still be charged. */
  readonly remainingCents: number;
  /** The time of the next charge or retry; null when none follows. */
  readonly nextDueAt: string | null;
  readonly status: 'active' | 'completed' | 'cancelled' | 'uncollectible';
}

interface Stamp {
  readonly installmentPlanId: string;
  readonly at: string;
}

/** A started charge of a part. */
export interface Installment {
  /** The part paid at checkout has the number 1. */
  readonly number: number;
  /** Counts the charges of the part, from 1. */
  readonly attempt: number;
  /** Null when nothing is due. */
  readonly paymentId: string | null;
  /** All attempts of a part have the same invoice. */
  readonly invoiceId: string;
  readonly amountCents: number;
  readonly discountCents: number;
  /** The method of this charge; older events do not have it, and their charge uses the method of the checkout. */
  readonly methodToken?: string | null;
  /** True for a retry that a caller waits for. */
  readonly requested?: boolean;
}

/** The order shows the progress; older events do not have it. */
interface Reported {
  readonly progress?: InstallmentProgress;
}

interface InstallmentResult extends Stamp, Reported {
  readonly number: number;
  readonly paymentId: string | null;
  readonly invoiceId: string;
}

export interface InstallmentFailure extends InstallmentResult {
  readonly attempt: number;
  readonly code: string;
  readonly detail: string;
  readonly hard: boolean;
  readonly firstFailedAt: string;
  /** Null when no retry follows: the plan has failed, and no later part is charged. */
  readonly nextRetryAt: string | null;
}

/** Event types, and the keys of their data, are permanent. */
export type InstallmentPlanEvent =
  | Fact<'InstallmentPlanStarted', InstallmentPlanStart & { anchorDay: number; nextDueAt: string; at: string }>
  | Fact<'InstallmentStarted', Installment & Stamp>
  /** `nextDueAt` is null after the last part. */
  | Fact<'InstallmentPaid', InstallmentResult & { amountCents: number; nextDueAt: string | null }>
  | Fact<'InstallmentFailed', InstallmentFailure>
  /** `openInvoiceId` is the unpaid invoice of a part that failed; null while its charge is not settled. */
  | Fact<'InstallmentPlanCancelled', Stamp & Reported & { openInvoiceId: string | null }>
  | Fact<'InstallmentMethodChanged', Stamp & { methodToken: string }>;
