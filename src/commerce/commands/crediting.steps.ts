import { Injectable } from '@nestjs/common';
import { enterOnce, findEarlierEvent, isUpTo } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import {
  type CreditedSale,
  entryIdOf,
  findEntryType,
  type SaleToCredit,
  sellerBalanceDecider,
  type SellerBalanceEvent,
  sellerBalanceIdOf,
} from '../domain/seller-balance.js';
import { batchCommands } from './batched-commands.js';

/** Credits each sale once to the seller's balance. */
@Injectable()
export class Crediting {
  private readonly batches;

  constructor(private readonly streams: Streams) {
    const credit = (sales: readonly SaleToCredit[]) => ({ type: 'CreditSales', sales }) as const;
    this.batches = batchCommands(streams, sellerBalanceDecider, credit, entryIdOf);
  }

  /** @param paid the event that causes the credit: no run can have recorded the credit before this event */
  async credit(sale: CreditedSale, context: Context, paid: RecordedEvent): Promise<void> {
    const { paymentId: id, businessId, currency } = sale;
    const balance = sellerBalanceIdOf(businessId, context.mode, currency);
    const credit = async (searched: number) => {
      const { state } = await this.batches.run(balance, {
        id,
        payload: { sale, since: paid.meta.at, searched },
        context,
      });
      return { entry: findEntryType(state, id), count: state.entries };
    };
    await enterOnce(credit, () => this.findRecordedCredit(balance, id, paid));
  }

  private async findRecordedCredit(balance: string, paymentId: string, paid: RecordedEvent): Promise<string | null> {
    const isWanted = (event: RecordedOf<SellerBalanceEvent>) => entryIdOf(event) === paymentId;
    const credited = await findEarlierEvent(this.streams, sellerBalanceDecider, balance, isUpTo(paid), isWanted);
    return credited && credited.type;
  }
}
