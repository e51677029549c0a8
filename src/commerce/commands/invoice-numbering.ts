import { earlierEvent } from '../../engine/streams/earlier.js';
import type { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { invoiceNumbers, invoiceNumbersId, mayHaveForgottenNumber, numberOf, type InvoiceNumbersEvent } from '../domain/invoice-numbers.js';
import { together } from './together.js';

/** An invoice that needs a number. */
export interface Unnumbered {
  readonly invoiceId: string;
  readonly businessId: string;
  readonly year: number;
}

/** Gives invoices their numbers, without a gap and each one only. */
export class InvoiceNumbering {
  private readonly assigning;

  constructor(private readonly streams: Streams) {
    this.assigning = together(streams, invoiceNumbers, assign, ({ data }) => data.invoiceId);
  }

  /** @param since when the sale was paid, where an earlier run may have assigned a number since; null for a sale of this very run */
  async numberOf(wanted: Unnumbered, context: Context, since: string | null): Promise<string> {
    const { invoiceId, businessId, year } = wanted;
    const row = invoiceNumbersId(businessId, context.mode, year);
    if (since !== null && mayHaveForgottenNumber(await this.streams.state(invoiceNumbers, row), invoiceId)) {
      const earlier = await this.assignmentOf(row, invoiceId, since);
      if (earlier !== null) return earlier;
    }
    const { state } = await this.assigning.run(row, { id: invoiceId, what: wanted, context });
    return numberOf(state, invoiceId) ?? (await this.assignmentOf(row, invoiceId, since))!;
  }

  private async assignmentOf(row: string, invoiceId: string, since: string | null): Promise<string | null> {
    const isWanted = ({ data }: Recorded) => (data as InvoiceNumbersEvent['data']).invoiceId === invoiceId;
    const event = await earlierEvent(this.streams, invoiceNumbers, row, since, isWanted);
    return event && (event.data as InvoiceNumbersEvent['data']).number;
  }
}

/** Those of one row have the same business and year. */
function assign(wanted: readonly Unnumbered[]) {
  const { businessId, year } = wanted[0]!;
  return { type: 'AssignInvoiceNumbers', businessId, year, invoiceIds: wanted.map(({ invoiceId }) => invoiceId) } as const;
}
