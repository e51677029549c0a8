import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { Register } from './register.js';

const DIGITS = 6;

export type InvoiceNumbersEvent = Fact<'InvoiceNumberAssigned', { invoiceId: string; businessId: string; number: string; at: string }>;

/** By invoice id. What has been assigned stays assigned, void or not, so that no number is missing and none is there twice. */
export type InvoiceNumbers = Register<string>;

export type InvoiceNumbersCommand = {
  readonly type: 'AssignInvoiceNumber';
  readonly invoiceId: string;
  readonly businessId: string;
  readonly year: number;
};

function decide(command: InvoiceNumbersCommand, numbers: InvoiceNumbers, { now }: Decision): readonly InvoiceNumbersEvent[] {
  const { invoiceId, businessId, year } = command;
  if (numbers.get(invoiceId) !== undefined) return [];
  const number = `${year}-${String(numbers.size + 1).padStart(DIGITS, '0')}`;
  return [{ type: 'InvoiceNumberAssigned', data: { invoiceId, businessId, number, at: now } }];
}

export const invoiceNumbers: Decider<InvoiceNumbers, InvoiceNumbersCommand, InvoiceNumbersEvent> = {
  category: 'invoiceNumbers',
  versions: { InvoiceNumberAssigned: 1 },
  endless: true,
  initial: Register.empty(),
  evolve: (numbers, { data }) => numbers.with(data.invoiceId, data.number),
  decide,
};

/** One row of numbers per business, mode and year. */
export function invoiceNumbersId(businessId: string, mode: Mode, year: number): string {
  return `${businessId}-${mode}-${year}`;
}
