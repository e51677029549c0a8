import { plainBaseline, type Decider, type Decision } from '../../kernel/decider.js';
import { mayHaveForgotten, NOTHING_REMEMBERED, remember, remembered, type Remembered, type Sought } from '../../kernel/entries.js';
import type { Fact, Mode } from '../../kernel/event.js';

const DIGITS = 6;
/** So many invoices may follow a payment before the numbering of its invoice has to search the stream. */
const REMEMBERED_NUMBERS = 1_000;

export type InvoiceNumbersEvent = Fact<'InvoiceNumberAssigned', { invoiceId: string; businessId: string; number: string; at: string }>;

/**
 * What has been assigned stays assigned, void or not, so that no number is missing and none is there twice. An invoice that is issued
 * holds its number itself: only the latest are remembered here.
 */
export interface InvoiceNumbers extends Remembered<Assigned> {
  readonly assigned: number;
}

type Assigned = readonly [invoiceId: string, at: string, number: string];

export interface Unnumbered extends Sought {
  readonly invoiceId: string;
}

export type InvoiceNumbersCommand = {
  readonly type: 'AssignInvoiceNumbers';
  /** In the order of their numbers. */
  readonly invoices: readonly Unnumbered[];
  readonly businessId: string;
  readonly year: number;
};

/** Leaves out an invoice that may have a number already: the caller searches the stream, and asks again. */
function decide(command: InvoiceNumbersCommand, numbers: InvoiceNumbers, { now: at }: Decision): readonly InvoiceNumbersEvent[] {
  const { invoices, businessId, year } = command;
  const byId = new Map(invoices.map((wanted) => [wanted.invoiceId, wanted]));
  const without = [...byId.values()].filter((wanted) => {
    return numberOf(numbers, wanted.invoiceId) === undefined && !mayHaveForgotten(numbers, numbers.assigned, wanted);
  });
  return without.map(({ invoiceId }, i) => {
    const number = `${year}-${String(numbers.assigned + 1 + i).padStart(DIGITS, '0')}`;
    return { type: 'InvoiceNumberAssigned', data: { invoiceId, businessId, number, at } };
  });
}

function evolve(numbers: InvoiceNumbers, { data }: InvoiceNumbersEvent): InvoiceNumbers {
  return { assigned: numbers.assigned + 1, ...remember(numbers, [data.invoiceId, data.at, data.number] as const, REMEMBERED_NUMBERS) };
}

/** The number that the invoice got lately. */
export function numberOf(numbers: InvoiceNumbers, invoiceId: string): string | undefined {
  return remembered(numbers, invoiceId)?.[2];
}

export const invoiceNumbers: Decider<InvoiceNumbers, InvoiceNumbersCommand, InvoiceNumbersEvent> = {
  category: 'invoiceNumbers',
  versions: { InvoiceNumberAssigned: 1 },
  endless: true,
  baseline: plainBaseline(2),
  initial: { assigned: 0, ...NOTHING_REMEMBERED },
  evolve,
  decide,
};

/** One row of numbers per business, mode and year. */
export function invoiceNumbersId(businessId: string, mode: Mode, year: number): string {
  return `${businessId}-${mode}-${year}`;
}
