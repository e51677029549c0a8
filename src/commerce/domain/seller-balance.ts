import { plainBaseline, type Decider, type Decision } from '../../kernel/decider.js';
import { mayHaveForgotten, NOTHING_REMEMBERED, remember, remembered, type Remembered, type Sought } from '../../kernel/entries.js';
import type { Fact, Mode } from '../../kernel/event.js';

/** When more sales than this follow a payment, crediting it must search the stream. */
const REMEMBERED_PAYMENTS = 1_000;

export type SellerBalanceEvent = Fact<
  'SaleCredited',
  { paymentId: string; businessId: string; currency: string; amountCents: number; feeCents: number; netCents: number; at: string }
>;

/** The state remembers only the latest credited payments. */
export interface SellerBalance extends Remembered {
  readonly amountCents: number;
  /** The number of credited payments. */
  readonly credited: number;
}

function evolve(balance: SellerBalance, { data }: SellerBalanceEvent): SellerBalance {
  const payments = remember(balance, [data.paymentId, data.at], REMEMBERED_PAYMENTS);
  return { amountCents: balance.amountCents + data.netCents, credited: balance.credited + 1, ...payments };
}

export interface CreditedSale {
  readonly paymentId: string;
  readonly businessId: string;
  readonly currency: string;
  readonly amountCents: number;
  readonly feeCents: number;
}

export interface SaleToCredit extends Sought {
  readonly sale: CreditedSale;
}

export type SellerBalanceCommand = { readonly type: 'CreditSales'; readonly sales: readonly SaleToCredit[] };

/** Leaves out a sale that may already be credited: the caller then searches the stream and repeats the command. */
function decide({ sales }: SellerBalanceCommand, balance: SellerBalance, { now: at }: Decision): readonly SellerBalanceEvent[] {
  const byPayment = new Map(sales.map((wanted) => [wanted.sale.paymentId, wanted]));
  return [...byPayment.values()]
    .filter((wanted) => !isCredited(balance, wanted.sale.paymentId) && !mayHaveForgotten(balance, balance.credited, wanted))
    .map(({ sale }) => ({ type: 'SaleCredited', data: { ...sale, netCents: sale.amountCents - sale.feeCents, at } }));
}

/** Checks only the payments that the balance remembers. */
export function isCredited(balance: SellerBalance, paymentId: string): boolean {
  return remembered(balance, paymentId) !== undefined;
}

export const sellerBalance: Decider<SellerBalance, SellerBalanceCommand, SellerBalanceEvent> = {
  category: 'sellerBalance',
  versions: { SaleCredited: 1 },
  endless: true,
  baseline: plainBaseline(2),
  initial: { amountCents: 0, credited: 0, ...NOTHING_REMEMBERED },
  evolve,
  decide,
};

/** Each business, mode and currency has its own balance. */
export function sellerBalanceId(businessId: string, mode: Mode, currency: string): string {
  return `${businessId}-${mode}-${currency}`;
}
