import { plainBaseline, type Decider, type Decision } from '../../kernel/decider.js';
import { mayHaveForgotten, NOTHING_REMEMBERED, remember, remembered, type Remembered, type Sought } from '../../kernel/entries.js';
import type { Fact, Mode } from '../../kernel/event.js';

const DIGITS = 6;
/** When more invoices than this follow a payment, numbering its invoice must search the stream. */
const REMEMBERED_NUMBERS = 1_000;

export type InvoiceNumbersEvent = Fact<'InvoiceNumberAssigned', { invoiceId: string; businessId: string; number: string; at: string }>;

/**
 * An assigned number stays assigned, also when its invoice is void, so that a series has no gaps and no duplicates. An
 * issued invoice stores its own number, so the state keeps only the latest numbers.
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
  /** The invoices get their numbers in this order. */
  readonly invoices: readonly Unnumbered[];
  readonly businessId: string;
  readonly year: number;
};

/** Leaves out an invoice that may have a number already: the caller searches the stream and repeats the command. */
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

/** Returns the number of the invoice, if the state still remembers it. */
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

/** Each business, mode and year has its own series. */
export function invoiceNumbersId(businessId: string, mode: Mode, year: number): string {
  return `${businessId}-${mode}-${year}`;
}
