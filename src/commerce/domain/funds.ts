import type { Fact } from '../../kernel/event.js';
import { type Disputable, sumWithheld } from './dispute.js';
import { type Refunds, sumRefunds } from './refund.js';

/** `availableCents`: the net amount less the refunds and disputes; older events do not have it, nor the business and the currency. */
export type FundsReleased = Fact<
  'FundsReleased',
  {
    paymentId: string;
    businessId?: string;
    currency?: string;
    availableCents?: number;
    cashFlowAt: string;
    at: string;
  }
>;

interface FundedPayment extends Disputable {
  readonly charge: { readonly paymentId: string; readonly businessId: string; readonly currency: string };
  readonly success: { readonly netCents: number; readonly fundsAt: string };
  readonly refunds: Refunds;
}

export function releaseFunds(payment: FundedPayment, at: string): FundsReleased {
  const { charge, success, refunds } = payment;
  const { paymentId, businessId, currency } = charge;
  const availableCents = success.netCents - sumRefunds(refunds.list) - sumWithheld(payment);
  const funds = { paymentId, businessId, currency, availableCents, cashFlowAt: success.fundsAt };
  return { type: 'FundsReleased', data: { ...funds, at } };
}
