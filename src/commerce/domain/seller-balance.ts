import { plainBaseline, type Decider, type Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';

/** Far more than one checkout can be delayed by others between two of its steps. */
const REMEMBERED_PAYMENTS = 1_000;

export type SellerBalanceEvent = Fact<
  'SaleCredited',
  { paymentId: string; businessId: string; currency: string; amountCents: number; feeCents: number; netCents: number; at: string }
>;

export interface SellerBalance {
  readonly amountCents: number;
  /** How many payments have been credited, each once; the latest are remembered. */
  readonly credited: number;
  readonly latest: readonly string[];
}

function evolve({ amountCents, credited, latest }: SellerBalance, { data }: SellerBalanceEvent): SellerBalance {
  const payments = [...latest, data.paymentId].slice(-REMEMBERED_PAYMENTS);
  return { amountCents: amountCents + data.netCents, credited: credited + 1, latest: payments };
}

export interface CreditedSale {
  readonly paymentId: string;
  readonly businessId: string;
  readonly currency: string;
  readonly amountCents: number;
  readonly feeCents: number;
}

export type SellerBalanceCommand = { readonly type: 'CreditSales'; readonly sales: readonly CreditedSale[] };

function decide({ sales }: SellerBalanceCommand, { latest }: SellerBalance, { now: at }: Decision): readonly SellerBalanceEvent[] {
  const byPayment = new Map(sales.map((sale) => [sale.paymentId, sale]));
  return [...byPayment.values()]
    .filter(({ paymentId }) => !latest.includes(paymentId))
    .map((sale) => ({ type: 'SaleCredited', data: { ...sale, netCents: sale.amountCents - sale.feeCents, at } }));
}

/** Whether nothing but the balance's own events can tell if the payment has been credited. */
export function mayHaveForgottenCredit({ credited, latest }: SellerBalance, paymentId: string): boolean {
  return credited > latest.length && !latest.includes(paymentId);
}

export const sellerBalance: Decider<SellerBalance, SellerBalanceCommand, SellerBalanceEvent> = {
  category: 'sellerBalance',
  versions: { SaleCredited: 1 },
  endless: true,
  baseline: plainBaseline(1),
  initial: { amountCents: 0, credited: 0, latest: [] },
  evolve,
  decide,
};

/** One balance per business, mode and currency. */
export function sellerBalanceId(businessId: string, mode: Mode, currency: string): string {
  return `${businessId}-${mode}-${currency}`;
}
