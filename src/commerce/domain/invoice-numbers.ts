import { plainBaseline, type Decider, type Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';

const DIGITS = 6;
/** Far more than one checkout can be delayed by others between two of its steps. */
const REMEMBERED_NUMBERS = 1_000;

export type InvoiceNumbersEvent = Fact<'InvoiceNumberAssigned', { invoiceId: string; businessId: string; number: string; at: string }>;

/**
 * What has been assigned stays assigned, void or not, so that no number is missing and none is there twice. An invoice that is issued
 * holds its number itself: only the latest are remembered here.
 */
export interface InvoiceNumbers {
  readonly assigned: number;
  /** Invoice id and number. */
  readonly latest: readonly (readonly [string, string])[];
}

export type InvoiceNumbersCommand = {
  readonly type: 'AssignInvoiceNumbers';
  /** In the order of their numbers. */
  readonly invoiceIds: readonly string[];
  readonly businessId: string;
  readonly year: number;
};

function decide(command: InvoiceNumbersCommand, numbers: InvoiceNumbers, { now: at }: Decision): readonly InvoiceNumbersEvent[] {
  const { invoiceIds, businessId, year } = command;
  const without = [...new Set(invoiceIds)].filter((id) => numberOf(numbers, id) === undefined);
  return without.map((invoiceId, i) => {
    const number = `${year}-${String(numbers.assigned + 1 + i).padStart(DIGITS, '0')}`;
    return { type: 'InvoiceNumberAssigned', data: { invoiceId, businessId, number, at } };
  });
}

function evolve({ assigned, latest }: InvoiceNumbers, { data }: InvoiceNumbersEvent): InvoiceNumbers {
  return { assigned: assigned + 1, latest: [...latest, [data.invoiceId, data.number] as const].slice(-REMEMBERED_NUMBERS) };
}

/** The number that the invoice got lately. */
export function numberOf({ latest }: InvoiceNumbers, invoiceId: string): string | undefined {
  return latest.findLast(([id]) => id === invoiceId)?.[1];
}

/** Whether nothing but the stream's own events can tell if the invoice has a number. */
export function mayHaveForgottenNumber(numbers: InvoiceNumbers, invoiceId: string): boolean {
  return numbers.assigned > numbers.latest.length && numberOf(numbers, invoiceId) === undefined;
}

export const invoiceNumbers: Decider<InvoiceNumbers, InvoiceNumbersCommand, InvoiceNumbersEvent> = {
  category: 'invoiceNumbers',
  versions: { InvoiceNumberAssigned: 1 },
  endless: true,
  baseline: plainBaseline(1),
  initial: { assigned: 0, latest: [] },
  evolve,
  decide,
};

/** One row of numbers per business, mode and year. */
export function invoiceNumbersId(businessId: string, mode: Mode, year: number): string {
  return `${businessId}-${mode}-${year}`;
}
