import { earlierEvent } from '../../engine/streams/earlier.js';
import type { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import {
  mayHaveForgottenCredit,
  sellerBalance,
  sellerBalanceId,
  type CreditedSale,
  type SellerBalanceEvent,
} from '../domain/seller-balance.js';
import { together } from './together.js';

/** Credits sales to the balance of their seller, each once. */
export class Crediting {
  private readonly crediting;

  constructor(private readonly streams: Streams) {
    const credit = (sales: readonly CreditedSale[]) => ({ type: 'CreditSales', sales }) as const;
    this.crediting = together(streams, sellerBalance, credit, ({ data }) => data.paymentId);
  }

  /** @param since when the sale was paid, where an earlier run may have credited it since; null for a sale of this very run */
  async credit(sale: CreditedSale, context: Context, since: string | null): Promise<void> {
    const { paymentId, businessId, currency } = sale;
    const balance = sellerBalanceId(businessId, context.mode, currency);
    if (since !== null && (await this.isCredited(balance, paymentId, since))) return;
    await this.crediting.run(balance, { id: paymentId, what: sale, context });
  }

  private async isCredited(balance: string, paymentId: string, since: string): Promise<boolean> {
    if (!mayHaveForgottenCredit(await this.streams.state(sellerBalance, balance), paymentId)) return false;
    const credit = await earlierEvent(this.streams, sellerBalance, balance, since, ({ data }) => {
      return (data as SellerBalanceEvent['data']).paymentId === paymentId;
    });
    return credit !== null;
  }
}
