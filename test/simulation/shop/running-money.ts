import type { InvoiceEvent } from '../../../src/commerce/domain/invoice.js';
import type { InvoiceNumbersEvent } from '../../../src/commerce/domain/invoice-numbers.js';
import type { PaymentEvent } from '../../../src/commerce/domain/payment.js';
import type { SellerBalanceEvent } from '../../../src/commerce/domain/seller-balance.js';
import type { RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';
import type { Bank } from './bank.js';

type MoneyEvent = RecordedOf<PaymentEvent | SellerBalanceEvent | InvoiceEvent | InvoiceNumbersEvent>;
type MoneyFact<T extends MoneyEvent['type']> = Extract<MoneyEvent, { readonly type: T }>['data'];

/**
 * I16 at any moment, also between two steps of a sale or a refund that a crash has interrupted: finds refunds of more
 * than was captured, and entries, invoices and calls of the bank without their reason or with more than one. Reads the
 * log once.
 */
export function findMoneyErrorsSoFar(log: readonly RecordedEvent[], bank: Bank): string[] {
  const byType = Map.groupBy(log as readonly MoneyEvent[], ({ type }) => type);
  const read = <T extends MoneyEvent['type']>(type: T) =>
    (byType.get(type) ?? []).map(({ data }) => data as MoneyFact<T>);
  const [requested, numbers] = [read('RefundRequested'), read('InvoiceNumberAssigned')];
  const captured = toAmounts(read('PaymentStarted'), 'paymentId');
  const refunds = toAmounts(requested, 'refundId');
  const net = new Map(read('PaymentSucceeded').map(({ paymentId, netCents }) => [paymentId, netCents]));
  const credits = read('SaleCredited').map(({ paymentId: id, netCents: cents }) => ({ id, cents }));
  const reserved = read('RefundReserved').map(({ refundId: id, amountCents: cents }) => ({ id, cents }));
  const charges = [...bank.charges.values()].map(({ reference: id, amountCents: cents }) => ({ id, cents }));
  const returned = [...bank.refunds.values()].map(({ key: id, amountCents: cents }) => ({ id, cents }));
  const issued = read('InvoiceIssued').map(({ invoiceId: id, number }) => ({ id, cents: Number(number.slice(5)) }));
  const assigned = new Map(numbers.map(({ invoiceId, number }) => [invoiceId, Number(number.slice(5))]));
  return [
    ...findExcessiveRefunds(requested, [...read('RefundRejected'), ...read('RefundFailed')], captured),
    ...findUnjustified('credit of', credits, net),
    ...findUnjustified('reservation of', reserved, refunds),
    ...findUnjustified('charge of', charges, captured),
    ...findUnjustified('bank refund', returned, refunds),
    ...findUnjustified('number of', issued, assigned),
    ...findBrokenSeries(byType.get('InvoiceNumberAssigned') ?? []),
  ];
}

interface Entry {
  readonly id: string;
  readonly cents: number;
}

/** Finds entries that repeat another one, or whose amount differs from that of the fact that they follow. */
function findUnjustified(name: string, entries: readonly Entry[], reasons: ReadonlyMap<string, number>): string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ id, cents }) => {
    const isRepeated = seen.has(id);
    seen.add(id);
    return [
      ...(isRepeated ? [`the ${name} ${id} is there twice`] : []),
      ...(reasons.get(id) === cents ? [] : [`the ${name} ${id} is ${cents}, expected ${reasons.get(id)}`]),
    ];
  });
}

/** The refunds of a payment that have not failed never exceed the payment. */
function findExcessiveRefunds(
  requested: readonly MoneyFact<'RefundRequested'>[],
  ended: readonly { readonly refundId: string }[],
  captured: ReadonlyMap<string, number>,
): string[] {
  const failed = new Set(ended.map(({ refundId }) => refundId));
  const active = requested.filter(({ refundId }) => !failed.has(refundId));
  return [...Map.groupBy(active, ({ paymentId }) => paymentId)].flatMap(([paymentId, own]) => {
    const cents = own.reduce((sum, { amountCents }) => sum + amountCents, 0);
    return cents <= captured.get(paymentId)! ? [] : [`${cents} of ${paymentId} are refunded, more than was captured`];
  });
}

/** The numbers of a series are assigned in order, without a gap. */
function findBrokenSeries(assigned: readonly MoneyEvent[]): string[] {
  return [...Map.groupBy(assigned, ({ stream }) => stream)].flatMap(([stream, own]) =>
    own.flatMap(({ data }, i) => {
      const { number } = data as MoneyFact<'InvoiceNumberAssigned'>;
      return Number(number.slice(5)) === i + 1 ? [] : [`${stream} has ${number} at place ${i + 1}`];
    }),
  );
}

function toAmounts<K extends string>(
  facts: readonly ({ readonly [key in K]: string } & { readonly amountCents: number })[],
  key: K,
): ReadonlyMap<string, number> {
  return new Map(facts.map((fact) => [fact[key], fact.amountCents]));
}
