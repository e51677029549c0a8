import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { invoice, type InvoiceContent } from '../domain/invoice.js';
import type { LineItem, PlacedOrder } from '../domain/order.js';
import type { Success } from '../domain/payment.js';
import { Crediting } from './crediting.js';
import { InvoiceNumbering } from './invoice-numbering.js';
import { subscription, type SubscriptionStart } from '../domain/subscription.js';

/** Fulfils a paid order: issues its invoice, starts its subscriptions and credits the seller. */
@Injectable()
export class Fulfilment {
  private readonly numbering: InvoiceNumbering;
  private readonly crediting: Crediting;

  constructor(private readonly streams: Streams) {
    this.numbering = new InvoiceNumbering(streams);
    this.crediting = new Crediting(streams);
  }

  /** @param paid PaymentSucceeded, or OrderPlaced when nothing is due */
  async of(placed: PlacedOrder, paid: Recorded, context: Context): Promise<void> {
    const { at } = paid.data as { readonly at: string };
    await Promise.all([this.bill(placed, at, context, paid), this.begin(placed, at, context), this.credit(placed, context, paid)]);
  }

  /** Assigns the number before it issues the invoice: a crash in between delays the invoice and skips no number. */
  private async bill(placed: PlacedOrder, at: string, context: Context, paid: Recorded): Promise<void> {
    const { invoiceId, businessId, paymentId } = placed;
    if ((await this.streams.state(invoice, invoiceId)).status !== 'unknown') return;

    const wanted = { invoiceId, businessId, year: new Date(at).getUTCFullYear() };
    const content = contentOf(placed, await this.numbering.numberOf(wanted, step(context, 'number'), paid));
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

  private async credit({ businessId, currency, totalCents: amountCents }: PlacedOrder, context: Context, paid: Recorded): Promise<void> {
    if (paid.type !== 'PaymentSucceeded') return;
    const { paymentId, feeCents } = paid.data as Success;
    await this.crediting.credit({ paymentId, businessId, currency, amountCents, feeCents }, step(context, 'balance'), paid);
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
