import { earlierEvent, entered } from '../../engine/streams/earlier.js';
import type { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { invoiceNumbers, invoiceNumbersId, numberOf, type InvoiceNumbersEvent, type Unnumbered } from '../domain/invoice-numbers.js';
import { together } from './together.js';

/** The series from which an invoice gets its number. */
interface Row {
  readonly businessId: string;
  readonly year: number;
}

/** Assigns each invoice one number; a series has no gaps. */
export class InvoiceNumbering {
  private readonly assigning;

  constructor(private readonly streams: Streams) {
    this.assigning = together(streams, invoiceNumbers, toAssign, ({ data }) => data.invoiceId);
  }

  /** @param paid the event that causes the invoice: no run can have assigned the number before this event */
  async numberOf(wanted: Row & { readonly invoiceId: string }, context: Context, paid: Recorded): Promise<string> {
    const { invoiceId: id, businessId, year } = wanted;
    const row = invoiceNumbersId(businessId, context.mode, year);
    const assign = async (searched: number) => {
      const { state } = await this.assigning.run(row, { id, what: { ...wanted, since: paid.meta.at, searched }, context });
      return { entry: numberOf(state, id), count: state.assigned };
    };
    return entered(assign, () => this.recordedNumber(row, id, paid));
  }

  private async recordedNumber(row: string, invoiceId: string, paid: Recorded): Promise<string | null> {
    const isWanted = ({ data }: Recorded) => (data as InvoiceNumbersEvent['data']).invoiceId === invoiceId;
    const event = await earlierEvent(this.streams, invoiceNumbers, row, paid.position, isWanted);
    return event && (event.data as InvoiceNumbersEvent['data']).number;
  }
}

/** All invoices of one series have the same business and year. */
function toAssign(wanted: readonly (Row & Unnumbered)[]) {
  const { businessId, year } = wanted[0]!;
  const invoices = wanted.map(({ invoiceId, since, searched }) => ({ invoiceId, since, searched }));
  return { type: 'AssignInvoiceNumbers', businessId, year, invoices } as const;
}
