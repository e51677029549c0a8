import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { Mode, RecordedEvent } from '../../kernel/event.js';
import { installmentPlanDecider } from '../domain/installment-plan.js';
import { listInstallmentPlanStarts } from '../domain/installment-start.js';
import type { LineItem, PlacedOrder } from '../domain/order.js';
import type { PaymentSuccess } from '../domain/payment.js';
import { subscriptionDecider } from '../domain/subscription.js';
import type { SubscriptionStart } from '../domain/subscription-events.js';
import { toSubscriptionDiscount } from '../domain/subscription-terms.js';
import { Billing, type InvoiceCause, type UnnumberedInvoice } from './billing.steps.js';

/** Fulfils a paid order: issues its invoice, starts its subscriptions and installment plans, and credits the seller. */
@Injectable()
export class Fulfilment {
  constructor(
    private readonly streams: Streams,
    private readonly billing: Billing,
  ) {}

  /** @param paid PaymentSucceeded, or OrderPlaced when nothing is due */
  async fulfil(placed: PlacedOrder, paid: InvoiceCause, context: Context): Promise<void> {
    await Promise.all([
      this.billing.issuePaidInvoice(toInvoice(placed), placed.paymentId, paid, context),
      this.startSubscriptions(placed, paid.data.at, context),
      this.startInstallmentPlans(placed, paid.data.at, context),
      this.creditSeller(placed, context, paid),
    ]);
  }

  private async startSubscriptions(placed: PlacedOrder, startedAt: string, context: Context): Promise<void> {
    const started = placed.lines
      .flatMap((line) => toSubscriptionStarts(placed, line, startedAt, context.mode))
      .map((start) => {
        const { subscriptionId: id } = start;
        return this.streams.execute(
          subscriptionDecider,
          id,
          { type: 'StartSubscription', start },
          createChildContext(context, 'subscription', id),
        );
      });
    await Promise.all(started);
  }

  private async startInstallmentPlans(placed: PlacedOrder, startedAt: string, context: Context): Promise<void> {
    const started = listInstallmentPlanStarts(placed, startedAt).map((start) => {
      const { installmentPlanId: id } = start;
      const command = { type: 'StartInstallmentPlan', start } as const;
      return this.streams.execute(installmentPlanDecider, id, command, createChildContext(context, 'installments', id));
    });
    await Promise.all(started);
  }

  private async creditSeller(
    { businessId, currency, totalCents: amountCents }: PlacedOrder,
    context: Context,
    paid: RecordedEvent,
  ): Promise<void> {
    if (paid.type !== 'PaymentSucceeded') return;
    const { paymentId, feeCents } = paid.data as PaymentSuccess;
    await this.billing.creditSeller({ paymentId, businessId, currency, amountCents, feeCents }, paid, context);
  }
}

function toInvoice(placed: PlacedOrder): UnnumberedInvoice {
  const { invoiceId, businessId, buyer, orderId, currency, subtotalCents, discountCents, taxCents, totalCents } =
    placed;
  const lines = placed.lines.map((line) => {
    const { lineId, productId, planId, name, quantity, unitAmountCents, amountCents, discountCents = 0 } = line;
    return { lineId, productId, planId, name, quantity, unitAmountCents, amountCents, discountCents };
  });
  const totals = { subtotalCents, discountCents, taxCents, totalCents };
  return {
    invoiceId,
    businessId,
    kind: 'sale',
    buyer,
    orderId,
    subscriptionId: null,
    lines,
    currency,
    ...totals,
  };
}

/** A renewal bills the price of the line before its discount. */
function toSubscriptionStarts(
  placed: PlacedOrder,
  line: LineItem,
  startedAt: string,
  mode: Mode,
): readonly SubscriptionStart[] {
  const { subscriptionId, lineId: lineItemId, productId, planId, quantity, unitAmountCents, terms } = line;
  if (subscriptionId === null || terms.interval === null) return [];
  const { businessId, orderId, buyer, discount = null, methodToken } = placed;
  const { interval, intervalCount, currency } = terms;
  const references = { subscriptionId, businessId, mode, orderId, lineItemId, productId, planId };
  const price = {
    quantity,
    amountCents: quantity * unitAmountCents,
    currency,
    discount: discount && toSubscriptionDiscount(discount, startedAt),
  };
  return [{ ...references, buyer, ...price, interval, intervalCount, methodToken, startedAt }];
}
