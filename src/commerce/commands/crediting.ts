import { earlierEvent, entered } from '../../engine/streams/earlier.js';
import type { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import {
  isCredited,
  sellerBalance,
  sellerBalanceId,
  type CreditedSale,
  type SaleToCredit,
  type SellerBalanceEvent,
} from '../domain/seller-balance.js';
import { together } from './together.js';

/** Credits each sale once to the seller's balance. */
export class Crediting {
  private readonly crediting;

  constructor(private readonly streams: Streams) {
    const credit = (sales: readonly SaleToCredit[]) => ({ type: 'CreditSales', sales }) as const;
    this.crediting = together(streams, sellerBalance, credit, ({ data }) => data.paymentId);
  }

  /** @param paid the event that causes the credit: no run can have recorded the credit before this event */
  async credit(sale: CreditedSale, context: Context, paid: Recorded): Promise<void> {
    const { paymentId: id, businessId, currency } = sale;
    const balance = sellerBalanceId(businessId, context.mode, currency);
    const credit = async (searched: number) => {
      const { state } = await this.crediting.run(balance, { id, what: { sale, since: paid.meta.at, searched }, context });
      return { entry: isCredited(state, id) ? paid : undefined, count: state.credited };
    };
    await entered(credit, () => this.recordedCredit(balance, id, paid));
  }

  private recordedCredit(balance: string, paymentId: string, paid: Recorded): Promise<Recorded | null> {
    return earlierEvent(this.streams, sellerBalance, balance, paid.position, ({ data }) => {
      return (data as SellerBalanceEvent['data']).paymentId === paymentId;
    });
  }
}
