import type { BalanceDocument } from '../../src/commerce/projections/balances.js';
import { balances } from '../../src/commerce/projections/balances.js';
import { type InvoiceDocument, invoices } from '../../src/commerce/projections/invoices.js';
import { type OrderDocument, orders } from '../../src/commerce/projections/orders.js';
import { type PaymentDocument, payments } from '../../src/commerce/projections/payments.js';
import { type PayoutDocument, payouts } from '../../src/commerce/projections/payouts.js';
import { type RefundDocument, refunds } from '../../src/commerce/projections/refunds.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { apply, type Projection, toDocumentIds } from '../../src/kernel/projection.js';

interface BalanceState {
  readonly amountCents: number;
  readonly refundedFeesCents: number;
}

/** Returns the places where the documents of a log, and the balance of its only seller, do not conserve money. */
export function findMoneyErrors(log: readonly RecordedEvent[], balance: BalanceState): string[] {
  const paid = foldAll(payments, log).filter(({ status }) => status === 'succeeded');
  const allRefunds = foldAll(refunds, log);
  return [
    ...paid.flatMap((payment) => findPaymentErrors(payment, allRefunds, log)),
    ...findBalanceErrors(paid, allRefunds, foldAll(payouts, log), balance),
    ...findBalanceDocumentErrors(paid, allRefunds, foldAll(balances, log), balance),
    ...findNumberErrors(foldAll(invoices, log)),
  ];
}

function findPaymentErrors(payment: PaymentDocument, all: readonly RefundDocument[], log: readonly RecordedEvent[]) {
  const own = all.filter(({ payment: { id } }) => id === payment.id);
  const refunded = sum(own.filter(({ status }) => status === 'succeeded'));
  const order = foldAll(orders, log).find(({ id }) => id === payment.order.id) as OrderDocument;
  const invoice = foldAll(invoices, log).find(({ id }) => id === payment.invoice?.id) as InvoiceDocument;
  return listUnequal(payment.id, [
    ['refunded', payment.refunded_amount_cents, refunded],
    ['refundable', payment.refundable_amount_cents, payment.amount_cents - refunded],
    ['refunded of order', order.refunded_amount_cents, refunded],
    ['refunded of invoice', invoice.refunded_amount_cents, refunded],
    ['requested beyond captured', Math.max(0, sum(own.filter(isActive)) - payment.amount_cents), 0],
  ]);
}

function findBalanceErrors(
  paid: readonly PaymentDocument[],
  all: readonly RefundDocument[],
  paidOut: readonly PayoutDocument[],
  { amountCents, refundedFeesCents }: BalanceState,
) {
  const net = paid.reduce((total, { net_amount_cents: cents }) => total + cents, 0);
  const withRefund = paid.filter(({ id }) => all.some((refund) => isActive(refund) && refund.payment.id === id));
  const fees = withRefund.reduce((total, { fee_cents: cents }) => total + cents, 0);
  return listUnequal('balance', [
    ['amount', amountCents, net - sum(all.filter(isActive)) - sum(paidOut)],
    ['fees', refundedFeesCents, fees],
  ]);
}

function findBalanceDocumentErrors(
  paid: readonly PaymentDocument[],
  all: readonly RefundDocument[],
  documents: readonly BalanceDocument[],
  { amountCents }: BalanceState,
) {
  const [shown] = documents.flatMap((document) => document.balances);
  const pending = paid
    .filter(({ cash_flow_at: at }) => at === null)
    .map(({ id, net_amount_cents: net }) => net - sum(all.filter((one) => isActive(one) && one.payment.id === id)));
  return listUnequal('balance document', [
    ['amount', shown?.amount_cents ?? 0, amountCents],
    ['pending', shown?.pending_cents ?? 0, pending.reduce((total, cents) => total + cents, 0)],
  ]);
}

function findNumberErrors(all: readonly InvoiceDocument[]): string[] {
  const numbers = all.map(({ number }) => Number(number.split('-')[1])).sort((a, b) => a - b);
  return listUnequal('invoices', [['numbers', numbers.join(), numbers.map((_, i) => i + 1).join()]]);
}

function listUnequal(
  name: string,
  values: readonly (readonly [label: string, actual: number | string, expected: number | string])[],
): string[] {
  return values
    .filter(([, actual, expected]) => actual !== expected)
    .map(([label, actual, expected]) => `${name}: ${label} is ${actual}, expected ${expected}`);
}

function isActive({ status }: RefundDocument): boolean {
  return status !== 'failed';
}

function sum(amounts: readonly { readonly amount_cents: number }[]): number {
  return amounts.reduce((total, { amount_cents: cents }) => total + cents, 0);
}

function foldAll<D extends object>(projection: Projection<D>, log: readonly RecordedEvent[]): D[] {
  const documents = new Map<string, D | null>();
  for (const event of log)
    for (const id of toDocumentIds(projection, event))
      documents.set(id, apply(projection, documents.get(id) ?? null, event, id));
  return [...documents.values()].filter((document) => document !== null);
}
