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

const DIGITS = 6;

export type InvoiceNumbersEvent = Fact<
  'InvoiceNumberAssigned',
  { invoiceId: string; businessId: string; number: string; at: string }
>;

/**
 * An assigned number stays assigned, also when its invoice is void, so that a series has no gaps and no duplicates. An
 * issued invoice stores its own number, so the state keeps only the latest numbers. `at` is real time, also in test
 * mode: the entries are in the order of the log.
 */
export interface InvoiceNumbers extends RecentEntries<AssignedNumber> {
  readonly assigned: number;
}

type AssignedNumber = readonly [invoiceId: string, at: string, number: string];

export interface InvoiceToNumber extends EntrySearch {
  readonly invoiceId: string;
}

export type InvoiceNumbersCommand = {
  readonly type: 'AssignInvoiceNumbers';
  /** The invoices get their numbers in this order. */
  readonly invoices: readonly InvoiceToNumber[];
  readonly businessId: string;
  readonly year: number;
};

/** Leaves out an invoice that may have a number already: the caller searches the stream and repeats the command. */
function decide(
  command: InvoiceNumbersCommand,
  numbers: InvoiceNumbers,
  { now: at }: DecisionContext,
): readonly InvoiceNumbersEvent[] {
  const { invoices, businessId, year } = command;
  const byId = new Map(invoices.map((wanted) => [wanted.invoiceId, wanted]));
  const unnumbered = [...byId.values()].filter((wanted) => {
    return findNumber(numbers, wanted.invoiceId) === undefined && !mayHaveDropped(numbers, numbers.assigned, wanted);
  });
  return unnumbered.map(({ invoiceId }, i) => {
    const number = `${year}-${String(numbers.assigned + 1 + i).padStart(DIGITS, '0')}`;
    return { type: 'InvoiceNumberAssigned', data: { invoiceId, businessId, number, at } };
  });
}

function evolve(numbers: InvoiceNumbers, { data }: InvoiceNumbersEvent): InvoiceNumbers {
  return {
    assigned: numbers.assigned + 1,
    ...addEntry(numbers, [data.invoiceId, data.at, data.number] as const),
  };
}

/** Returns the number of the invoice, if the state still remembers it. */
export function findNumber(numbers: InvoiceNumbers, invoiceId: string): string | undefined {
  return findEntry(numbers, invoiceId)?.[2];
}

export const invoiceNumbersDecider: Decider<InvoiceNumbers, InvoiceNumbersCommand, InvoiceNumbersEvent> = {
  category: 'invoiceNumbers',
  versions: { InvoiceNumberAssigned: 1 },
  unbounded: true,
  baseline: createJsonBaseline(3),
  initial: { assigned: 0, ...NO_RECENT_ENTRIES },
  evolve,
  decide,
};

/** Each business, mode and year has its own series. */
export function invoiceNumbersIdOf(businessId: string, mode: Mode, year: number): string {
  return `${businessId}-${mode}-${year}`;
}
