import type { DisputeEvent } from '../../../src/commerce/domain/dispute.js';
import {
  type SellerBalance,
  sellerBalanceDecider,
  type SellerBalanceEvent,
  sellerBalanceIdOf,
} from '../../../src/commerce/domain/seller-balance.js';
import type { BalanceDocument } from '../../../src/commerce/projections/balances.js';
import { balances } from '../../../src/commerce/projections/balances.js';
import { type DisputeDocument, disputes } from '../../../src/commerce/projections/disputes.js';
import { type InvoiceDocument, invoices } from '../../../src/commerce/projections/invoices.js';
import { type OrderDocument, orders } from '../../../src/commerce/projections/orders.js';
import { type PaymentDocument, payments } from '../../../src/commerce/projections/payments.js';
import { type PayoutDocument, payouts } from '../../../src/commerce/projections/payouts.js';
import { type RefundDocument, refunds } from '../../../src/commerce/projections/refunds.js';
import { extractCategory, extractId, fold as foldState } from '../../../src/kernel/decider.js';
import type { Mode, RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { foldAll } from './read-models.js';

/** A dispute with the fees of the gateway. */
interface WithheldDispute extends DisputeDocument {
  readonly feeCents: number;
}

interface Sales {
  readonly paid: readonly PaymentDocument[];
  readonly refunds: readonly RefundDocument[];
  readonly disputes: readonly WithheldDispute[];
  readonly payouts: readonly PayoutDocument[];
  readonly shown: readonly BalanceDocument[];
  readonly balance: SellerBalance;
}

/** I16: finds the documents and balances of a log that do not conserve money, and gaps between invoice numbers. */
export function findMoneyErrors(log: readonly RecordedEvent[]): string[] {
  const documents = {
    paid: fold(payments, log).filter(({ status }) => status === 'succeeded'),
    refunds: fold(refunds, log),
    disputes: fold(disputes, log).map((dispute) => ({ ...dispute, feeCents: sumFees(dispute.id, log) })),
    payouts: fold(payouts, log),
    shown: fold(balances, log),
  };
  const [allOrders, allInvoices] = [foldAll(orders, log), foldAll(invoices, log)];
  return [
    ...documents.paid.flatMap((payment) =>
      findPaymentErrors(
        payment,
        documents,
        allOrders.get(payment.order.id) as OrderDocument,
        allInvoices.get(payment.invoice!.id) as InvoiceDocument,
      ),
    ),
    ...[...foldBalances(log)].flatMap(([id, balance]) => findBalanceErrors(id, selectSales(id, balance, documents))),
    ...[...Map.groupBy(fold(invoices, log), toSeries)].flatMap(([series, own]) => findNumberErrors(series, own)),
  ];
}

/** Returns the states of the balances by the ids of their streams. */
function foldBalances(log: readonly RecordedEvent[]): ReadonlyMap<string, SellerBalance> {
  const streams = Map.groupBy(
    log.filter(({ stream }) => extractCategory(stream) === sellerBalanceDecider.category),
    ({ stream }) => extractId(stream),
  );
  const foldOne = (events: readonly RecordedEvent[]) =>
    foldState(sellerBalanceDecider, events as RecordedOf<SellerBalanceEvent>[]);
  return new Map([...streams].map(([id, events]) => [id, foldOne(events)]));
}

/** Returns the documents of the business, mode and currency of this balance. */
function selectSales(id: string, balance: SellerBalance, all: Omit<Sales, 'balance'>): Sales {
  const isOwn = (document: { _business: string; _mode: Mode; currency: string }) =>
    sellerBalanceIdOf(document._business, document._mode, document.currency) === id;
  const shown = all.shown.filter((document) => id.startsWith(`${document.id}-`));
  return {
    balance,
    shown: shown.map((document) => ({
      ...document,
      balances: document.balances.filter(({ currency }) => isOwn({ ...document, currency })),
    })),
    paid: all.paid.filter(isOwn),
    refunds: all.refunds.filter(isOwn),
    disputes: all.disputes.filter(isOwn),
    payouts: all.payouts.filter(isOwn),
  };
}

function findPaymentErrors(
  payment: PaymentDocument,
  { refunds: all, disputes: allDisputes }: Pick<Sales, 'refunds' | 'disputes'>,
  order: OrderDocument,
  invoice: InvoiceDocument,
): string[] {
  const own = all.filter(({ payment: { id } }) => id === payment.id);
  const succeeded = all.filter(({ status }) => status === 'succeeded');
  const refunded = sum(succeeded.filter(({ payment: { id } }) => id === payment.id));
  const ofOrder = sum(succeeded.filter(({ order: { id } }) => id === order.id));
  const requested = sum(own.filter(isActive));
  const disputed = sum(allDisputes.filter(isWithheld).filter(({ payment: { id } }) => id === payment.id));
  return listUnequal(payment.id, [
    ['refunded', payment.refunded_amount_cents, refunded],
    ['refundable', payment.refundable_amount_cents, Math.max(0, payment.amount_cents - requested - disputed)],
    ['refunded of the invoice', invoice.refunded_amount_cents, refunded],
    ['refunded of the order', order.refunded_amount_cents, ofOrder],
    ['requested beyond captured', Math.max(0, requested - payment.amount_cents), 0],
  ]);
}

function findBalanceErrors(id: string, sales: Sales): string[] {
  const { paid, refunds: all, disputes: allDisputes, payouts: paidOut, shown, balance } = sales;
  const active = all.filter(isActive);
  const refundedOf = ({ id: paymentId }: PaymentDocument) =>
    sum(active.filter(({ payment }) => payment.id === paymentId));
  const withheld = allDisputes.filter(isWithheld);
  const withheldOf = ({ id: paymentId }: PaymentDocument) =>
    sumWithFees(withheld.filter(({ payment }) => payment.id === paymentId));
  const net = add(paid.map(({ net_amount_cents: cents }) => cents));
  const fees = add(paid.filter((payment) => refundedOf(payment) > 0).map(({ fee_cents: cents }) => cents));
  const unreleased = paid.filter(({ cash_flow_at: at }) => at === null);
  const pending = add(
    unreleased.map((payment) => payment.net_amount_cents - refundedOf(payment) - withheldOf(payment)),
  );
  const [document] = shown.flatMap((one) => one.balances);
  return listUnequal(`balance ${id}`, [
    ['amount', balance.amountCents, net - sum(active) - sumWithFees(withheld) - sum(paidOut)],
    ['fees', balance.refundedFeesCents, fees],
    ['missing beyond fees and disputes', Math.max(0, -(balance.amountCents + fees + sumWithFees(withheld))), 0],
    ['shown amount', document?.amount_cents ?? 0, balance.amountCents],
    ['pending amount', document?.pending_cents ?? 0, Math.max(0, Math.min(balance.amountCents, pending))],
  ]);
}

/** Each business, mode and year has its own numbers. */
function toSeries({ _business, _mode, number }: InvoiceDocument): string {
  return `${_business} ${_mode} ${number.slice(0, 4)}`;
}

function findNumberErrors(series: string, all: readonly InvoiceDocument[]): string[] {
  const numbers = all.map(({ number }) => Number(number.slice(5))).sort((a, b) => a - b);
  return listUnequal(`invoices of ${series}`, [['numbers', numbers.join(), numbers.map((_, i) => i + 1).join()]]);
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

function isWithheld({ status }: DisputeDocument): boolean {
  return status !== 'won';
}

function sumFees(disputeId: string, log: readonly RecordedEvent[]): number {
  const charged = (log as RecordedOf<DisputeEvent>[]).filter(({ type }) => type === 'DisputeFeeCharged');
  return add(charged.filter(({ data }) => data.disputeId === disputeId).map(({ data }) => -data.changeCents!));
}

function sumWithFees(all: readonly WithheldDispute[]): number {
  return add(all.map(({ amount_cents: cents, feeCents }) => cents + feeCents));
}

function sum(amounts: readonly { readonly amount_cents: number }[]): number {
  return add(amounts.map(({ amount_cents: cents }) => cents));
}

function add(amounts: readonly number[]): number {
  return amounts.reduce((total, cents) => total + cents, 0);
}

function fold<D extends object>(projection: Projection<D>, log: readonly RecordedEvent[]): D[] {
  return [...foldAll(projection, log).values()].filter((document) => document !== null) as D[];
}
