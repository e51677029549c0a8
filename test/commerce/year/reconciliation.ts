import type { CommerceFixture } from '../commerce-fixture.js';
import { listAll } from './shop-year.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the resources of several lists */

/** The books of a shop, as its API shows them. */
export interface Books {
  readonly payments: readonly any[];
  readonly refunds: readonly any[];
  readonly invoices: readonly any[];
  readonly payouts: readonly any[];
  readonly balance: any;
}

export async function readBooks(shop: CommerceFixture): Promise<Books> {
  return {
    payments: await listAll(shop, 'payments'),
    refunds: await listAll(shop, 'refunds'),
    invoices: await listAll(shop, 'invoices'),
    payouts: await listAll(shop, 'payouts'),
    balance: await shop.get('balance'),
  };
}

/** I16: finds money that was lost or made, and gaps in the numbers of invoices. */
export function findDiscrepancies(books: Books): string[] {
  return [
    ...books.payments.flatMap((payment) => checkPayment(payment, books)),
    ...books.invoices.flatMap((invoice) => checkInvoice(invoice, books)),
    ...checkBalance(books),
    ...checkNumbers(books),
  ];
}

function checkPayment(payment: any, { refunds }: Books): string[] {
  const { id, status, amount_cents, refunded_amount_cents: refunded, refundable_amount_cents: refundable } = payment;
  const selectOwn = (state: string) => refunds.filter((refund) => refund.payment.id === id && refund.status === state);
  const captured = status === 'succeeded' ? amount_cents : 0;
  return [
    ...expectEqual(`${id}: captured`, captured, refunded + refundable + sumOf(selectOwn('pending'))),
    ...expectEqual(`${id}: refunded`, refunded, sumOf(selectOwn('succeeded'))),
    ...expectEqual(`${id}: net`, payment.net_amount_cents, captured - payment.fee_cents),
  ];
}

function checkInvoice(invoice: any, { payments }: Books): string[] {
  const { id, status, subtotal_amount_cents: subtotal, total_amount_cents: total } = invoice;
  const paid = payments.filter((payment) => payment.invoice?.id === id && payment.status === 'succeeded');
  const lines = invoice.lines.reduce((sum: number, line: any) => sum + line.amount_cents, 0);
  return [
    ...expectEqual(`${id}: paid`, invoice.paid_amount_cents, sumOf(paid)),
    ...expectEqual(`${id}: status`, status === 'paid', total === 0 || sumOf(paid) === total),
    ...expectEqual(`${id}: lines`, lines, total),
    ...expectEqual(`${id}: discount`, subtotal - invoice.discount_amount_cents + invoice.tax_amount_cents, total),
    ...expectEqual(`${id}: refunded`, invoice.refunded_amount_cents, sumOf(paid, 'refunded_amount_cents')),
  ];
}

function checkBalance({ payments, refunds, payouts, balance }: Books): string[] {
  return balance.balances.flatMap(({ currency, amount_cents, pending_cents }: any) => {
    const of = (all: readonly any[]) => all.filter((item) => item.currency === currency && item.status !== 'failed');
    const sold = of(payments).filter(({ status }) => status === 'succeeded');
    const net = sumOf(sold, 'net_amount_cents');
    const pending = sumOf(
      sold.filter(({ cash_flow_at }) => cash_flow_at === null),
      'net_amount_cents',
    );
    return [
      ...expectEqual(`balance ${currency}`, amount_cents, net - sumOf(of(refunds)) - sumOf(of(payouts))),
      ...(pending_cents > pending ? [`pending ${currency}: ${pending_cents} is above ${pending}`] : []),
    ];
  });
}

/** The numbers of a year have no gap, and follow the times of the invoices. */
function checkNumbers({ invoices }: Books): string[] {
  const years = Map.groupBy(invoices, ({ issued_at }) => issued_at.slice(0, 4) as string);
  return [...years].flatMap(([year, issued]) => {
    const numbered = issued.toSorted((a, b) => (a.number < b.number ? -1 : 1));
    const wrong = numbered.findIndex(({ number }, i) => number !== `${year}-${String(i + 1).padStart(6, '0')}`);
    const late = numbered.findIndex(({ issued_at }, i) => issued_at < (numbered[i - 1]?.issued_at ?? ''));
    return [
      ...(wrong === -1 ? [] : [`${numbered[wrong].number} is number ${wrong + 1} of ${year}`]),
      ...(late === -1 ? [] : [`${numbered[late].number} was issued before the number before it`]),
    ];
  });
}

function sumOf(items: readonly any[], field = 'amount_cents'): number {
  return items.reduce((sum, item) => sum + item[field], 0);
}

function expectEqual(what: string, is: unknown, shouldBe: unknown): string[] {
  return is === shouldBe ? [] : [`${what} is ${String(is)} but should be ${String(shouldBe)}`];
}
