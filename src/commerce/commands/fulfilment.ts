import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import { invoice, type InvoiceContent } from '../domain/invoice.js';
import type { LineItem, PlacedOrder } from '../domain/order.js';
import { payment } from '../domain/payment.js';
import { Crediting } from './crediting.js';
import { InvoiceNumbering } from './invoice-numbering.js';
import { subscription, type SubscriptionStart } from '../domain/subscription.js';

/** What a paid order brings about: its invoice, its subscriptions, and the seller's credit. */
@Injectable()
export class Fulfilment {
  private readonly numbering: InvoiceNumbering;
  private readonly crediting: Crediting;

  constructor(private readonly streams: Streams) {
    this.numbering = new InvoiceNumbering(streams);
    this.crediting = new Crediting(streams);
  }

  /** @param isFirst nobody else can have begun with it */
  async of(placed: PlacedOrder, paidAt: string, context: Context, isFirst: boolean): Promise<void> {
    const since = isFirst ? null : paidAt;
    await Promise.all([
      this.bill(placed, paidAt, context, since),
      this.begin(placed, paidAt, context),
      this.credit(placed, context, since),
    ]);
  }

  /** The number belongs to the invoice from its assignment on: a crash in between delays it, and never skips it. */
  private async bill(placed: PlacedOrder, at: string, context: Context, since: string | null): Promise<void> {
    const { invoiceId, businessId, paymentId } = placed;
    if ((await this.streams.state(invoice, invoiceId)).status !== 'unknown') return;

    const wanted = { invoiceId, businessId, year: new Date(at).getUTCFullYear() };
    const content = contentOf(placed, await this.numbering.numberOf(wanted, step(context, 'number'), since));
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

  private async credit({ paymentId, businessId, currency }: PlacedOrder, context: Context, since: string | null): Promise<void> {
    const paid = paymentId === null ? null : await this.streams.state(payment, paymentId);
    if (paid?.status !== 'succeeded') return;
    const { paymentId: id, feeCents } = paid.success;
    const sale = { paymentId: id, businessId, currency, amountCents: paid.charge.amountCents, feeCents };
    await this.crediting.credit(sale, step(context, 'balance'), since);
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
