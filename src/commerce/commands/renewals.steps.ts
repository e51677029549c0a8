import { Injectable } from '@nestjs/common';
import { findEarlierEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import {
  ConsistencyContext,
  type Context,
  createChildContext,
  createEventContext,
  resumeContext,
} from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import type { EventOf } from '../../kernel/projection.js';
import type { Payment } from '../domain/payment.js';
import { type FailRenewal, PAYMENT_FAILED } from '../domain/renewal.js';
import { toRenewalInvoice } from '../domain/renewal-invoice.js';
import { subscriptionDecider } from '../domain/subscription.js';
import type { SubscriptionEvent } from '../domain/subscription-events.js';
import type { KnownSubscription } from '../domain/subscription-state.js';
import { Billing } from './billing.steps.js';
import { Products } from './products.steps.js';

const PROCESS = 'renewals';
const NO_METHOD = { code: 'payment_method_required', detail: 'The subscription has no payment method.', hard: false };

type RenewalStarted = EventOf<SubscriptionEvent, 'RenewalStarted'>;
type Failure = Pick<FailRenewal, 'code' | 'detail' | 'hard'>;

/**
 * Charges the periods of subscriptions. All command ids derive from RenewalStarted, so that the request or the timer
 * that began a charge, and the process that continues it after a crash, record each step once.
 */
@Injectable()
export class Renewals {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
    private readonly billing: Billing,
  ) {}

  /** Starts the charge that is due, if any, and finishes it. */
  async run(subscriptionId: string, context: Context, requested = false): Promise<Payment | null> {
    const subscription = await this.streams.loadState(subscriptionDecider, subscriptionId);
    if (subscription.status === 'unknown') return null;
    const { start, paidUntil, attempts } = subscription.agreement;
    const periodStart = subscription.status === 'past_due' ? subscription.dunning.periodStart : paidUntil;
    const availablePlanIds = await this.products.listAvailablePlanIds(start.productId);
    const due = { periodStart, attempt: attempts + 1, requested, availablePlanIds };
    const command = { type: 'StartRenewal', ...due } as const;
    const { state } = await this.streams.execute(subscriptionDecider, subscriptionId, command, context);
    return this.finishOpen(state as KnownSubscription, context);
  }

  /** Resumes the subscription, and finishes the charge that this needs. @param resumesAt null when a caller asks */
  async resume(subscriptionId: string, resumesAt: string | null, context: Context): Promise<Payment | null> {
    const subscription = await this.streams.loadState(subscriptionDecider, subscriptionId);
    if (subscription.status === 'unknown') return null;
    const availablePlanIds = await this.products.listAvailablePlanIds(subscription.agreement.start.productId);
    const command = { type: 'ResumeSubscription', resumesAt, availablePlanIds } as const;
    const { state } = await this.streams.execute(subscriptionDecider, subscriptionId, command, context);
    return this.finishOpen(state as KnownSubscription, context);
  }

  /** Finishes the charge of a payment whose result became known. */
  async finishPayment({ status, ...payment }: Payment, context: Context): Promise<void> {
    if (status === 'unknown' || !('charge' in payment)) return;
    const { subscriptionId, paymentId } = payment.charge;
    const started = await this.findStarted(subscriptionId!, ({ data }) => data.paymentId === paymentId);
    if (started !== null) await this.finish(started, context);
  }

  /** Finishes a charge that a crash may have interrupted. */
  async finishInterrupted(subscriptionId: string, eventId: string): Promise<void> {
    const started = (await this.findStarted(subscriptionId, ({ id }) => id === eventId))!;
    const context = createEventContext(started, PROCESS);
    await this.finish(started, context.mode === 'live' ? context : { ...context, now: started.data.at });
  }

  private async finishOpen({ agreement: { start, renewal } }: KnownSubscription, context: Context) {
    if (renewal === null) return null;
    const { invoiceId, attempt } = renewal;
    const isOpen = ({ data }: RenewalStarted) => data.invoiceId === invoiceId && data.attempt === attempt;
    return this.finish((await this.findStarted(start.subscriptionId, isOpen))!, context);
  }

  private findStarted(
    subscriptionId: string,
    isWanted: (started: RenewalStarted) => boolean,
  ): Promise<RenewalStarted | null> {
    const isStart = (event: RecordedEvent) => event.type === 'RenewalStarted' && isWanted(event as RenewalStarted);
    return findEarlierEvent(
      this.streams,
      subscriptionDecider,
      subscriptionId,
      () => false,
      isStart,
    ) as Promise<RenewalStarted | null>;
  }

  /** Invoices and charges the period, then records the result. A repeated run changes nothing. */
  private async finish(started: RenewalStarted, { now, consistency }: Context): Promise<Payment | null> {
    const { data: renewal } = started;
    const context = { ...resumeContext(started, PROCESS), ...(now !== undefined && { now }), consistency };
    const { replacedInvoiceId, paymentId, methodToken } = renewal;
    if (replacedInvoiceId !== null)
      await this.billing.closeInvoice(replacedInvoiceId, { type: 'VoidInvoice' }, createChildContext(context, 'old'));
    const { agreement } = await this.load(renewal.subscriptionId);
    const { content } = await this.products.requireProduct(agreement.start.productId);
    const invoice = toRenewalInvoice(agreement.start, renewal, content.name);
    if (paymentId === null) {
      await this.billing.issuePaidInvoice(invoice, null, started, context);
      await this.record(renewal, null, context);
      return null;
    }
    await this.billing.issueInvoice(invoice, started, context);
    if (methodToken === null) {
      await this.fail(renewal, NO_METHOD, context);
      return null;
    }
    const payment = await this.billing.payInvoice(toCharge(agreement.start, renewal, paymentId, methodToken), context);
    if (payment.status === 'succeeded') await this.record(renewal, { paymentId, paidAt: payment.success.at }, context);
    if (payment.status === 'failed') await this.fail(renewal, payment.failure, context);
    return payment;
  }

  private async load(subscriptionId: string): Promise<KnownSubscription> {
    return (await this.streams.loadState(subscriptionDecider, subscriptionId)) as KnownSubscription;
  }

  private async record(
    { subscriptionId, invoiceId }: RenewalStarted['data'],
    payment: { paymentId: string; paidAt: string } | null,
    context: Context,
  ): Promise<void> {
    const command = { type: 'RecordRenewal', invoiceId, payment } as const;
    await this.streams.execute(subscriptionDecider, subscriptionId, command, createChildContext(context, 'record'));
  }

  /** The invoice of a subscription that has ended before the charge failed is void. */
  private async fail(
    { subscriptionId, invoiceId, paymentId }: RenewalStarted['data'],
    { code, detail, hard }: Failure,
    context: Context,
  ): Promise<void> {
    const command = { type: 'FailRenewal', invoiceId, paymentId, code, detail, hard } as const;
    const failed = createChildContext(context, 'fail');
    const { recorded, repeated, state } = await this.streams.execute(
      subscriptionDecider,
      subscriptionId,
      command,
      failed,
    );
    for (const event of recorded as readonly RecordedOf<SubscriptionEvent>[])
      await this.closeInvoices(event, context.consistency);
    if (state.status === 'cancelled' && recorded.length === 0 && !repeated)
      await this.billing.closeInvoice(invoiceId, { type: 'VoidInvoice' }, context);
  }

  /** Closes the open invoice of a subscription that has ended, or that could not be resumed. */
  async closeInvoices(event: RecordedOf<SubscriptionEvent>, consistency = new ConsistencyContext()): Promise<void> {
    const context = { ...createEventContext(event, PROCESS), now: event.data.at, consistency };
    if (event.type === 'ResumeFailed') {
      const { invoiceId } = event.data;
      await this.billing.closeInvoice(invoiceId, { type: 'VoidInvoice' }, context);
    }
    if (event.type === 'SubscriptionCancelled') {
      const { openInvoiceId, reason } = event.data;
      const type = reason === PAYMENT_FAILED ? 'MarkInvoiceUncollectible' : 'VoidInvoice';
      if (openInvoiceId !== null) await this.billing.closeInvoice(openInvoiceId, { type }, context);
    }
  }
}

function toCharge(
  { orderId, buyer, businessId, currency }: KnownSubscription['agreement']['start'],
  { subscriptionId, invoiceId, amountCents }: RenewalStarted['data'],
  paymentId: string,
  methodToken: string,
) {
  const references = { paymentId, businessId, orderId, subscriptionId, invoiceId, buyer };
  return { ...references, kind: 'renewal', amountCents, currency, methodToken } as const;
}
