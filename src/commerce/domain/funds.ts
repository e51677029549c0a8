import type { Fact } from '../../kernel/event.js';
import { type Refunds, sumRefunds } from './refund.js';

/** `availableCents`: the net amount less the refunds; older events do not have it, nor the business and the currency. */
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

interface FundedPayment {
  readonly charge: { readonly paymentId: string; readonly businessId: string; readonly currency: string };
  readonly success: { readonly netCents: number; readonly fundsAt: string };
  readonly refunds: Refunds;
}

export function releaseFunds({ charge, success, refunds }: FundedPayment, at: string): FundsReleased {
  const { paymentId, businessId, currency } = charge;
  const availableCents = success.netCents - sumRefunds(refunds.list);
  const funds = { paymentId, businessId, currency, availableCents, cashFlowAt: success.fundsAt };
  return { type: 'FundsReleased', data: { ...funds, at } };
}
