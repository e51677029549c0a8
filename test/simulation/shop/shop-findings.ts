import type { PaymentSuccess } from '../../../src/commerce/domain/payment.js';
import { type OrderDocument, orders } from '../../../src/commerce/projections/orders.js';
import { type PaymentDocument, payments } from '../../../src/commerce/projections/payments.js';
import { refunds } from '../../../src/commerce/projections/refunds.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { findMoneyErrors } from '../../support/invariants/money.js';
import { foldAll } from '../../support/invariants/read-models.js';
import type { Bank } from './bank.js';
import type { BusinessTimes } from './visitors.js';

interface Amount {
  readonly id: string;
  readonly amount_cents: number;
}

/** I16: finds money that is not conserved, unfinished orders, and payments that differ from those of the bank. */
export function findShopErrors(log: readonly RecordedEvent[], bank: Bank, times: BusinessTimes): string[] {
  const paid = fold(payments, log);
  const returned = fold(refunds, log);
  const charges = [...bank.charges.values()].map((one) => ({ id: one.reference, amount_cents: one.amountCents }));
  const accepted = [...bank.refunds.values()].map((one) => ({ id: one.key, amount_cents: one.amountCents }));
  return [
    ...findMoneyErrors(log),
    ...findUnfinishedOrders(fold(orders, log), paid, log),
    ...findPending([...paid, ...returned]),
    ...findLateFunds(log, paid, times),
    ...findRepeatedCharges(bank),
    ...findDifferences('payment', paid.filter(hasSucceeded), charges),
    ...findDifferences('refund', returned.filter(hasSucceeded), accepted),
  ];
}

/** Whether the result of a charge or a refund is not known yet. */
export function hasUnsettled(log: readonly RecordedEvent[]): boolean {
  return [...fold(payments, log), ...fold(refunds, log)].some(({ status }) => status === 'pending');
}

/** After every timer has run, each checkout has an ended order, and a completed order has its payment. */
function findUnfinishedOrders(
  all: readonly OrderDocument[],
  paid: readonly PaymentDocument[],
  log: readonly RecordedEvent[],
): string[] {
  const succeeded = new Set(paid.filter(hasSucceeded).map(({ order }) => order.id));
  const placed = new Set(all.map(({ id }) => id));
  const checkedOut = log.filter(({ type }) => type === 'CartCheckedOut').map(({ data }) => data as { orderId: string });
  return [
    ...checkedOut.filter(({ orderId }) => !placed.has(orderId)).map(({ orderId }) => `${orderId} was never placed`),
    ...findPending(all),
    ...all
      .filter(({ id, status }) => (status === 'completed') !== succeeded.has(id))
      .map(({ id, status }) => `${id} is ${status}, which contradicts its payment`),
  ];
}

/** The funds of a payment are released when they are due. */
function findLateFunds(
  log: readonly RecordedEvent[],
  paid: readonly PaymentDocument[],
  times: BusinessTimes,
): string[] {
  const dueTimes = new Map(
    log
      .filter(({ type }) => type === 'PaymentSucceeded')
      .map(({ data }) => data as PaymentSuccess)
      .map(({ paymentId, fundsAt }) => [paymentId, Date.parse(fundsAt)]),
  );
  return paid
    .filter(({ id, cash_flow_at: at, _mode: mode }) => at === null && (dueTimes.get(id) ?? Infinity) <= times[mode])
    .map(({ id }) => `the funds of ${id} are due and not released`);
}

/** A payment is charged under one key. */
function findRepeatedCharges({ charges }: Bank): string[] {
  return [...Map.groupBy(charges.values(), ({ reference }) => reference)].flatMap(([reference, requests]) =>
    requests.length === 1 ? [] : [`${reference} was charged under ${requests.length} keys`],
  );
}

function findDifferences(name: string, log: readonly Amount[], bank: readonly Amount[]): string[] {
  const [recorded, accepted] = [toMap(log), toMap(bank)];
  return [...new Set([...recorded.keys(), ...accepted.keys()])]
    .filter((id) => recorded.get(id) !== accepted.get(id))
    .map((id) => `${name} ${id} is ${recorded.get(id)} in the log and ${accepted.get(id)} at the bank`);
}

function toMap(all: readonly Amount[]): ReadonlyMap<string, number> {
  return new Map(all.map(({ id, amount_cents: cents }) => [id, cents]));
}

function findPending(all: readonly { readonly id: string; readonly status: string }[]): string[] {
  return all.filter(({ status }) => status === 'pending').map(({ id }) => `${id} is pending`);
}

function hasSucceeded({ status }: { readonly status: string }): boolean {
  return status === 'succeeded';
}

function fold<D extends object>(projection: Projection<D>, log: readonly RecordedEvent[]): D[] {
  return [...foldAll(projection, log).values()].filter((document) => document !== null) as D[];
}
