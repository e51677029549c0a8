import { createJsonBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import {
  addEntry,
  type EntrySearch,
  findEntry,
  mayHaveDropped,
  NO_RECENT_ENTRIES,
  type RecentEntries,
} from '../../kernel/recent-entries.js';

/** When more sales than this follow a payment, crediting it must search the stream. */
const REMEMBERED_PAYMENTS = 1_000;

export type SellerBalanceEvent = Fact<
  'SaleCredited',
  {
    paymentId: string;
    businessId: string;
    currency: string;
    amountCents: number;
    feeCents: number;
    netCents: number;
    at: string;
  }
>;

/**
 * `at` is real time, also in test mode: the entries are in the order of the log. The state remembers only the latest
 * credited payments.
 */
export interface SellerBalance extends RecentEntries {
  readonly amountCents: number;
  /** The number of credited payments. */
  readonly credited: number;
}

function evolve(balance: SellerBalance, { data }: SellerBalanceEvent): SellerBalance {
  const payments = addEntry(balance, [data.paymentId, data.at], REMEMBERED_PAYMENTS);
  return { amountCents: balance.amountCents + data.netCents, credited: balance.credited + 1, ...payments };
}

export interface CreditedSale {
  readonly paymentId: string;
  readonly businessId: string;
  readonly currency: string;
  readonly amountCents: number;
  readonly feeCents: number;
}

export interface SaleToCredit extends EntrySearch {
  readonly sale: CreditedSale;
}

export type SellerBalanceCommand = { readonly type: 'CreditSales'; readonly sales: readonly SaleToCredit[] };

/** Leaves out a sale that may already be credited: the caller then searches the stream and repeats the command. */
function decide(
  { sales }: SellerBalanceCommand,
  balance: SellerBalance,
  { now: at }: DecisionContext,
): readonly SellerBalanceEvent[] {
  const byPayment = new Map(sales.map((wanted) => [wanted.sale.paymentId, wanted]));
  return [...byPayment.values()]
    .filter(
      (request) => !isCredited(balance, request.sale.paymentId) && !mayHaveDropped(balance, balance.credited, request),
    )
    .map(({ sale }) => ({ type: 'SaleCredited', data: { ...sale, netCents: sale.amountCents - sale.feeCents, at } }));
}

/** Checks only the payments that the balance remembers. */
export function isCredited(balance: SellerBalance, paymentId: string): boolean {
  return findEntry(balance, paymentId) !== undefined;
}

export const sellerBalanceDecider: Decider<SellerBalance, SellerBalanceCommand, SellerBalanceEvent> = {
  category: 'sellerBalance',
  versions: { SaleCredited: 1 },
  unbounded: true,
  baseline: createJsonBaseline(2),
  initial: { amountCents: 0, credited: 0, ...NO_RECENT_ENTRIES },
  evolve,
  decide,
};

/** Each business, mode and currency has its own balance. */
export function sellerBalanceIdOf(businessId: string, mode: Mode, currency: string): string {
  return `${businessId}-${mode}-${currency}`;
}
