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
import { toInstallmentInvoice } from '../domain/installment-invoice.js';
import { type FailInstallment, installmentPlanDecider } from '../domain/installment-plan.js';
import type { InstallmentPlanEvent } from '../domain/installment-plan-events.js';
import { type InstallmentPlan, isOpen, type KnownInstallmentPlan } from '../domain/installment-plan-state.js';
import { listInstallmentPlanIds } from '../domain/installment-start.js';
import { orderDecider } from '../domain/order.js';
import { isFullyRefunded, type Payment, paymentDecider } from '../domain/payment.js';
import { Billing } from './billing.steps.js';

const PROCESS = 'installments';
const NO_METHOD = { code: 'payment_method_required', detail: 'The order has no payment method.', hard: false };

type InstallmentStarted = RecordedOf<Extract<InstallmentPlanEvent, { type: 'InstallmentStarted' }>>;
/** The events that close the invoice of a part. */
export type InstallmentsEnd = Extract<InstallmentPlanEvent, { type: 'InstallmentFailed' | 'InstallmentPlanCancelled' }>;
type Failure = Pick<FailInstallment, 'code' | 'detail' | 'hard'>;

/**
 * Charges the parts of installment plans. All command ids derive from InstallmentStarted, so that a timer that runs
 * again after a crash records each step once.
 */
@Injectable()
export class Installments {
  constructor(
    private readonly streams: Streams,
    private readonly billing: Billing,
  ) {}

  /**
   * Starts the charge that is due, if any, and finishes it. Returns its payment, if there is one.
   * @param requested true for a retry that a caller waits for
   */
  async run(installmentPlanId: string, context: Context, requested = false): Promise<Payment | null> {
    const command = { type: 'StartInstallment', requested } as const;
    const { state } = await this.streams.execute(installmentPlanDecider, installmentPlanId, command, context);
    const charge = 'part' in state ? state.part.charge : null;
    if (charge === null) return null;
    const { number, attempt } = charge;
    const started = await this.findStarted(
      installmentPlanId,
      ({ data }) => data.number === number && data.attempt === attempt,
    );
    return this.finish(started!, context);
  }

  /** Finishes the charge of a payment whose result became known. */
  async finishPayment({ status, ...payment }: Payment, context: Context): Promise<void> {
    if (status === 'unknown' || !('charge' in payment)) return;
    const { installmentPlanId, paymentId } = payment.charge;
    const started = await this.findStarted(installmentPlanId!, ({ data }) => data.paymentId === paymentId);
    if (started !== null) await this.finish(started, context);
  }

  private findStarted(
    installmentPlanId: string,
    isWanted: (started: InstallmentStarted) => boolean,
  ): Promise<InstallmentStarted | null> {
    const isStart = (event: RecordedEvent) =>
      event.type === 'InstallmentStarted' && isWanted(event as InstallmentStarted);
    return findEarlierEvent(
      this.streams,
      installmentPlanDecider,
      installmentPlanId,
      () => false,
      isStart,
    ) as Promise<InstallmentStarted | null>;
  }

  /** Invoices and charges the part, then records the result. A repeated run changes nothing. */
  private async finish(started: InstallmentStarted, { now, consistency }: Context): Promise<Payment | null> {
    const { data: installment } = started;
    const { installmentPlanId, paymentId, invoiceId, amountCents } = installment;
    const context = { ...resumeContext(started, PROCESS), ...(now !== undefined && { now }), consistency };
    const { start } = (await this.streams.loadState(installmentPlanDecider, installmentPlanId)) as KnownInstallmentPlan;
    const invoice = toInstallmentInvoice(start, installment);
    if (paymentId === null) {
      await this.billing.issuePaidInvoice(invoice, null, started, context);
      await this.record(installment, context);
      return null;
    }
    await this.billing.issueInvoice(invoice, started, context);
    const { businessId, orderId, buyer, currency } = start;
    const { methodToken = start.methodToken } = installment;
    if (methodToken === null) {
      await this.fail(installment, NO_METHOD, context);
      return null;
    }
    const references = { paymentId, businessId, orderId, subscriptionId: null, installmentPlanId, invoiceId, buyer };
    const charge = { ...references, kind: 'installment', amountCents, currency, methodToken } as const;
    const payment = await this.billing.payInvoice(charge, context);
    if (payment.status === 'succeeded') await this.record(installment, context);
    if (payment.status === 'failed') await this.fail(installment, payment.failure, context);
    return payment;
  }

  private async record(
    { installmentPlanId, invoiceId, paymentId }: InstallmentStarted['data'],
    context: Context,
  ): Promise<void> {
    const command = { type: 'RecordInstallment', invoiceId, paymentId } as const;
    const recorded = createChildContext(context, 'record');
    await this.streams.execute(installmentPlanDecider, installmentPlanId, command, recorded);
  }

  private async fail(
    { installmentPlanId, invoiceId, paymentId }: InstallmentStarted['data'],
    { code, detail, hard }: Failure,
    context: Context,
  ): Promise<void> {
    const command = { type: 'FailInstallment', invoiceId, paymentId, code, detail, hard } as const;
    const failed = createChildContext(context, 'fail');
    const { recorded, repeated, state } = await this.streams.execute(
      installmentPlanDecider,
      installmentPlanId,
      command,
      failed,
    );
    for (const event of recorded as readonly RecordedOf<InstallmentsEnd>[])
      await this.closeInvoice(event, context.consistency);
    if (state.status === 'cancelled' && recorded.length === 0 && !repeated)
      await this.billing.closeInvoice(invoiceId, { type: 'VoidInvoice' }, context);
  }

  /** Charges a part that is past due at once. Returns its payment, if there is one. */
  async retry(installmentPlanId: string, context: Context): Promise<Payment | null> {
    const { status } = await this.streams.loadState(installmentPlanDecider, installmentPlanId);
    return status === 'past_due' ? this.run(installmentPlanId, context, true) : null;
  }

  /** Returns false when the plan has ended before. */
  async changeMethodIfOpen(installmentPlanId: string, methodToken: string, context: Context): Promise<boolean> {
    if (!isOpen(await this.streams.loadState(installmentPlanDecider, installmentPlanId))) return false;
    const command = { type: 'ChangeInstallmentMethod', methodToken } as const;
    await this.streams.execute(installmentPlanDecider, installmentPlanId, command, context);
    return true;
  }

  /** Ends the installments of an order when everything that was paid for its first parts and its later ones is refunded. */
  async endIfRefunded(orderId: string, context: Context): Promise<void> {
    const order = await this.streams.loadState(orderDecider, orderId);
    if (order.status !== 'completed') return;
    const { paymentId } = order.placed;
    const ids = listInstallmentPlanIds(order.placed);
    const plans = await Promise.all(ids.map((id) => this.streams.loadState(installmentPlanDecider, id)));
    if (!plans.some(isOpen)) return;
    const paymentIds = [...(paymentId === null ? [] : [paymentId]), ...plans.flatMap(listPaymentIds)];
    const payments = await Promise.all(paymentIds.map((id) => this.streams.loadState(paymentDecider, id)));
    if (!payments.every(isFullyRefunded)) return;
    for (const id of ids) await this.cancelIfOpen(id, createChildContext(context, 'refunded', id));
  }

  /** Returns false when the plan has ended before without a cancellation. */
  async cancelIfOpen(installmentPlanId: string, context: Context): Promise<boolean> {
    const { status } = await this.streams.loadState(installmentPlanDecider, installmentPlanId);
    if (status === 'unknown' || status === 'completed' || status === 'failed') return false;
    await this.cancel(installmentPlanId, context);
    return true;
  }

  /** Ends the plan: no later part is charged. @throws Rejection installments_ended */
  async cancel(installmentPlanId: string, context: Context): Promise<void> {
    const command = { type: 'CancelInstallmentPlan' } as const;
    const { recorded } = await this.streams.execute(installmentPlanDecider, installmentPlanId, command, context);
    for (const event of recorded as readonly RecordedOf<InstallmentsEnd>[])
      await this.closeInvoice(event, context.consistency);
  }

  /** Writes off the invoice of a part after its last failed charge; voids it when the plan is cancelled. */
  async closeInvoice(end: RecordedOf<InstallmentsEnd>, consistency = new ConsistencyContext()): Promise<void> {
    const context = { ...createEventContext(end, PROCESS), now: end.data.at, consistency };
    if (end.type === 'InstallmentPlanCancelled') {
      const { openInvoiceId } = end.data;
      if (openInvoiceId !== null) await this.billing.closeInvoice(openInvoiceId, { type: 'VoidInvoice' }, context);
    } else if (end.data.nextRetryAt === null)
      await this.billing.closeInvoice(end.data.invoiceId, { type: 'MarkInvoiceUncollectible' }, context);
  }
}

function listPaymentIds(plan: InstallmentPlan): readonly string[] {
  return plan.status === 'unknown' ? [] : plan.paymentIds;
}
