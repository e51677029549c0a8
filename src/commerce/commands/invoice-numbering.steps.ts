import { Injectable } from '@nestjs/common';
import { enterOnce, findEarlierEvent, isUpTo } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import {
  findNumber,
  invoiceNumbersDecider,
  type InvoiceNumbersEvent,
  invoiceNumbersIdOf,
  type InvoiceToNumber,
} from '../domain/invoice-numbers.js';
import { batchCommands } from './batched-commands.js';

/** The series from which an invoice gets its number. */
interface NumberSeries {
  readonly businessId: string;
  readonly year: number;
}

/** Assigns each invoice one number; a series has no gaps. */
@Injectable()
export class InvoiceNumbering {
  private readonly batches;

  constructor(private readonly streams: Streams) {
    this.batches = batchCommands(streams, invoiceNumbersDecider, toAssignCommand, ({ data }) => data.invoiceId);
  }

  /** @param paid the event that causes the invoice: no run can have assigned the number before this event */
  async assignNumber(
    request: NumberSeries & { readonly invoiceId: string },
    context: Context,
    paid: RecordedEvent,
  ): Promise<string> {
    const { invoiceId: id, businessId, year } = request;
    const series = invoiceNumbersIdOf(businessId, context.mode, year);
    const assign = async (searched: number) => {
      const { state } = await this.batches.run(series, {
        id,
        payload: { ...request, since: paid.meta.at, searched },
        context,
      });
      return { entry: findNumber(state, id), count: state.assigned };
    };
    return enterOnce(assign, () => this.findRecordedNumber(series, id, paid));
  }

  private async findRecordedNumber(series: string, invoiceId: string, paid: RecordedEvent): Promise<string | null> {
    const isWanted = ({ data }: RecordedOf<InvoiceNumbersEvent>) => data.invoiceId === invoiceId;
    const event = await findEarlierEvent(this.streams, invoiceNumbersDecider, series, isUpTo(paid), isWanted);
    return event && event.data.number;
  }
}

/** All invoices of one series have the same business and year. */
function toAssignCommand(requests: readonly (NumberSeries & InvoiceToNumber)[]) {
  const { businessId, year } = requests[0]!;
  const invoices = requests.map(({ invoiceId, since, searched }) => ({ invoiceId, since, searched }));
  return { type: 'AssignInvoiceNumbers', businessId, year, invoices } as const;
}
