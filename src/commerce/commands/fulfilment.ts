import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import { invoice, type InvoiceContent } from '../domain/invoice.js';
import { invoiceNumbers, invoiceNumbersId } from '../domain/invoice-numbers.js';
import type { LineItem, PlacedOrder } from '../domain/order.js';
import { payment } from '../domain/payment.js';
import { sellerBalance, sellerBalanceId } from '../domain/seller-balance.js';
import { subscription, type SubscriptionStart } from '../domain/subscription.js';

/** What a paid order brings about: its invoice, its subscriptions, and the seller's credit. */
@Injectable()
export class Fulfilment {
  constructor(private readonly streams: Streams) {}

  async of(placed: PlacedOrder, paidAt: string, context: Context): Promise<void> {
    await Promise.all([this.bill(placed, paidAt, context), this.begin(placed, paidAt, context), this.credit(placed, context)]);
  }

  /** The number belongs to the invoice from its assignment on: a crash in between delays it, and never skips it. */
  private async bill(placed: PlacedOrder, at: string, context: Context): Promise<void> {
    const { invoiceId, businessId, paymentId } = placed;
    if ((await this.streams.state(invoice, invoiceId)).status !== 'unknown') return;

    const year = new Date(at).getUTCFullYear();
    const assign = { type: 'AssignInvoiceNumber', invoiceId, businessId, year } as const;
    const row = invoiceNumbersId(businessId, context.mode, year);
    const { state: numbers } = await this.streams.execute(invoiceNumbers, row, assign, step(context, 'number'));
    const content = contentOf(placed, numbers.get(invoiceId)!);
    await this.streams.execute(invoice, invoiceId, { type: 'IssuePaidInvoice', content, paymentId, at }, step(context, 'invoice'));
  }

  private async begin(placed: PlacedOrder, startedAt: string, context: Context): Promise<void> {
    const begun = placed.lines
      .flatMap((line) => startOf(placed, line, startedAt))
      .map((start) => {
        const { subscriptionId: id } = start;
        return this.streams.execute(subscription, id, { type: 'StartSubscription', start }, step(context, 'subscription', id));
      });
    await Promise.all(begun);
  }

  private async credit({ paymentId, businessId, currency }: PlacedOrder, context: Context): Promise<void> {
    const paid = paymentId === null ? null : await this.streams.state(payment, paymentId);
    if (paid?.status !== 'succeeded') return;
    const { paymentId: id, feeCents } = paid.success;
    const credit = { type: 'CreditSale', paymentId: id, businessId, currency, amountCents: paid.charge.amountCents, feeCents } as const;
    await this.streams.execute(sellerBalance, sellerBalanceId(businessId, context.mode, currency), credit, step(context, 'balance'));
  }
}

function contentOf(placed: PlacedOrder, number: string): InvoiceContent {
  const { invoiceId, businessId, buyer, orderId, currency, subtotalCents, discountCents, taxCents, totalCents } = placed;
  const lines = placed.lines.map(({ lineId, productId, planId, name, quantity, unitAmountCents, amountCents }) => {
    return { lineId, productId, planId, name, quantity, unitAmountCents, amountCents };
  });
  const totals = { subtotalCents, discountCents, taxCents, totalCents };
  return { invoiceId, businessId, number, kind: 'sale', buyer, orderId, subscriptionId: null, lines, currency, ...totals };
}

function startOf(placed: PlacedOrder, line: LineItem, startedAt: string): readonly SubscriptionStart[] {
  const { subscriptionId, lineId: lineItemId, productId, planId, amountCents, terms } = line;
  if (subscriptionId === null || terms.interval === null) return [];
  const { businessId, orderId, buyer, methodToken } = placed;
  const { interval, intervalCount, currency } = terms;
  const of = { subscriptionId, businessId, orderId, lineItemId, productId, planId };
  return [{ ...of, buyer, amountCents, currency, interval, intervalCount, methodToken, startedAt }];
}
