import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { Register } from './register.js';

export type SellerBalanceEvent = Fact<
  'SaleCredited',
  { paymentId: string; businessId: string; currency: string; amountCents: number; feeCents: number; netCents: number; at: string }
>;

export interface SellerBalance {
  readonly amountCents: number;
  /** Net amount by payment: a payment is credited once. */
  readonly credited: Register<number>;
}

function evolve({ amountCents, credited }: SellerBalance, { data }: SellerBalanceEvent): SellerBalance {
  return { amountCents: amountCents + data.netCents, credited: credited.with(data.paymentId, data.netCents) };
}

export type SellerBalanceCommand = {
  readonly type: 'CreditSale';
  readonly paymentId: string;
  readonly businessId: string;
  readonly currency: string;
  readonly amountCents: number;
  readonly feeCents: number;
};

function decide({ type: _, ...sale }: SellerBalanceCommand, balance: SellerBalance, { now }: Decision): readonly SellerBalanceEvent[] {
  if (balance.credited.get(sale.paymentId) !== undefined) return [];
  return [{ type: 'SaleCredited', data: { ...sale, netCents: sale.amountCents - sale.feeCents, at: now } }];
}

export const sellerBalance: Decider<SellerBalance, SellerBalanceCommand, SellerBalanceEvent> = {
  category: 'sellerBalance',
  versions: { SaleCredited: 1 },
  endless: true,
  initial: { amountCents: 0, credited: Register.empty() },
  evolve,
  decide,
};

/** One balance per business, mode and currency. */
export function sellerBalanceId(businessId: string, mode: Mode, currency: string): string {
  return `${businessId}-${mode}-${currency}`;
}
