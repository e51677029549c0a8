import type { Fact, Mode } from '../../kernel/event.js';
import type { Cycle } from './billing-period.js';
import type { Buyer } from './buyer.js';
import type { SubscriptionDiscount, SubscriptionTerms } from './subscription-terms.js';

/** The data of a new subscription. Each renewal bills `amountCents`, less the discount. */
export interface SubscriptionStart extends Cycle {
  readonly subscriptionId: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly orderId: string;
  readonly lineItemId: string;
  readonly productId: string;
  readonly planId: string;
  readonly buyer: Buyer;
  readonly quantity: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly discount: SubscriptionDiscount | null;
  readonly methodToken: string | null;
  readonly startedAt: string;
}

interface Stamp {
  readonly subscriptionId: string;
  readonly at: string;
}

export const CHANGE_KINDS = ['plan', 'price'] as const;

/** `effectiveAt` is the next renewal; null while the subscription is paused. */
export interface PendingChange {
  readonly changeId: string;
  readonly kind: (typeof CHANGE_KINDS)[number];
  readonly from: SubscriptionTerms;
  readonly to: SubscriptionTerms;
  readonly effectiveAt: string | null;
}

interface ChangeEnd extends Stamp {
  readonly changeId: string;
}

/** A renewal billed the new terms. `confirmedAt` is the time of the payment. SubscriptionRenewed follows. */
interface ConfirmedChange extends ChangeEnd {
  readonly from: SubscriptionTerms;
  readonly to: SubscriptionTerms;
  /** Null when the new plan is free. */
  readonly paymentId: string | null;
  /** The zero invoice of a free plan; null when a payment confirms the change. */
  readonly invoiceId: string | null;
  readonly confirmedAt: string;
  readonly nextBillingAt: string | null;
}

export type SubscriptionChangeEvent =
  | Fact<'ChangeScheduled', PendingChange & Stamp & { businessId: string; currency: string }>
  | Fact<'ChangeSuperseded', ChangeEnd & { supersededBy: string }>
  | Fact<'ChangeWithdrawn', ChangeEnd>
  | Fact<'ChangeFailed', ChangeEnd & { code: string; detail: string }>
  | Fact<'ChangeDeferred', ChangeEnd & { effectiveAt: string | null }>
  | Fact<'PlanChanged', ConfirmedChange>
  | Fact<'PriceChanged', Omit<ConfirmedChange, 'invoiceId'> & { paymentId: string }>;

/** A started charge for a period. */
export interface Renewal {
  readonly kind: 'renewal' | 'resume';
  /** A caller waits for the charge: if it fails, the subscription stays as it was. */
  readonly requested: boolean;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly anchorDay: number;
  /** Counts the charges since the last paid period, from 1. */
  readonly attempt: number;
  /** Null when nothing is due. */
  readonly paymentId: string | null;
  /** The attempts of a period have the same invoice while they bill the same terms. */
  readonly invoiceId: string;
  /** The open invoice of earlier attempts, which billed other terms. */
  readonly replacedInvoiceId: string | null;
  /** The terms of the new period. */
  readonly terms: SubscriptionTerms;
  /** The pending change that the charge confirms. */
  readonly changeId: string | null;
  readonly amountCents: number;
  readonly discountCents: number;
  readonly methodToken: string | null;
}

export type RenewalEvent =
  | Fact<'RenewalStarted', Renewal & Stamp>
  | Fact<
      'SubscriptionRenewed',
      Stamp & {
        periodStart: string;
        periodEnd: string;
        anchorDay: number;
        /** Null when the subscription ends with the new period. */
        nextBillingAt: string | null;
        amountCents: number;
        paymentId: string | null;
        invoiceId: string;
      }
    >
  | Fact<'RenewalFailed', RenewalFailure>
  | Fact<'ResumeFailed', FailedCharge>;

interface FailedCharge extends Stamp {
  readonly attempt: number;
  readonly paymentId: string | null;
  readonly invoiceId: string;
  readonly code: string;
  readonly detail: string;
}

export interface RenewalFailure extends FailedCharge {
  readonly hard: boolean;
  readonly firstFailedAt: string;
  /** Null when there is no further retry, so that the subscription ends. */
  readonly nextRetryAt: string | null;
}

/** Event types, and the keys of their data, are permanent. */
export type SubscriptionEvent =
  | Fact<'SubscriptionStarted', SubscriptionStart & { anchorDay: number; nextBillingAt: string; at: string }>
  | SubscriptionChangeEvent
  | RenewalEvent
  | Fact<'SubscriptionPaused', Stamp & { resumesAt: string | null; reason: string | null }>
  | Fact<'SubscriptionResumed', Stamp & { nextBillingAt: string }>
  | Fact<'CancellationScheduled', Stamp & { cancelAt: string; reason: string | null }>
  | Fact<'CancellationRevoked', Stamp & { nextBillingAt: string | null; resumesAt: string | null }>
  /** `openInvoiceId` is null while the charge of the invoice is not settled. */
  | Fact<'SubscriptionCancelled', Stamp & { cancelAt: string; reason: string | null; openInvoiceId: string | null }>
  | Fact<'PaymentMethodChanged', Stamp & { methodToken: string }>;

export const SUBSCRIPTION_VERSIONS = {
  SubscriptionStarted: 2,
  ChangeScheduled: 1,
  ChangeSuperseded: 1,
  ChangeWithdrawn: 1,
  ChangeFailed: 1,
  ChangeDeferred: 1,
  PlanChanged: 2,
  PriceChanged: 1,
  RenewalStarted: 1,
  SubscriptionRenewed: 1,
  RenewalFailed: 1,
  ResumeFailed: 1,
  SubscriptionPaused: 1,
  SubscriptionResumed: 1,
  CancellationScheduled: 1,
  CancellationRevoked: 1,
  SubscriptionCancelled: 1,
  PaymentMethodChanged: 1,
} as const satisfies Record<SubscriptionEvent['type'], number>;
