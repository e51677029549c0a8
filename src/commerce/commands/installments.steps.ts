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
import { type FailInstallment, installmentPlanDecider, type KnownInstallmentPlan } from '../domain/installment-plan.js';
import type { InstallmentPlanEvent } from '../domain/installment-plan-events.js';
import type { Payment } from '../domain/payment.js';
import { Billing } from './billing.steps.js';

const PROCESS = 'installments';
const NO_METHOD = { code: 'payment_method_required', detail: 'The order has no payment method.', hard: false };

type InstallmentStarted = RecordedOf<Extract<InstallmentPlanEvent, { type: 'InstallmentStarted' }>>;
export type InstallmentFailed = Extract<InstallmentPlanEvent, { type: 'InstallmentFailed' }>;
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

  /** Starts the charge that is due, if any, and finishes it. */
  async run(installmentPlanId: string, context: Context): Promise<void> {
    const command = { type: 'StartInstallment' } as const;
    const { state } = await this.streams.execute(installmentPlanDecider, installmentPlanId, command, context);
    const charge = 'part' in state ? state.part.charge : null;
    if (charge === null) return;
    const { number, attempt } = charge;
    const started = await this.findStarted(
      installmentPlanId,
      ({ data }) => data.number === number && data.attempt === attempt,
    );
    await this.finish(started!, context);
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
  private async finish(started: InstallmentStarted, { now, consistency }: Context): Promise<void> {
    const { data: installment } = started;
    const { installmentPlanId, paymentId, invoiceId, amountCents } = installment;
    const context = { ...resumeContext(started, PROCESS), ...(now !== undefined && { now }), consistency };
    const { start } = (await this.streams.loadState(installmentPlanDecider, installmentPlanId)) as KnownInstallmentPlan;
    const invoice = toInstallmentInvoice(start, installment);
    if (paymentId === null) {
      await this.billing.issuePaidInvoice(invoice, null, started, context);
      return this.record(installment, context);
    }
    await this.billing.issueInvoice(invoice, started, context);
    const { businessId, orderId, buyer, currency, methodToken } = start;
    if (methodToken === null) return this.fail(installment, NO_METHOD, context);
    const references = { paymentId, businessId, orderId, subscriptionId: null, installmentPlanId, invoiceId, buyer };
    const charge = { ...references, kind: 'installment', amountCents, currency, methodToken } as const;
    const payment = await this.billing.payInvoice(charge, context);
    if (payment.status === 'succeeded') await this.record(installment, context);
    if (payment.status === 'failed') await this.fail(installment, payment.failure, context);
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
    const { recorded } = await this.streams.execute(installmentPlanDecider, installmentPlanId, command, failed);
    for (const event of recorded as readonly RecordedOf<InstallmentFailed>[])
      await this.writeOff(event, context.consistency);
  }

  /** Writes off the invoice of a part after its last failed charge. */
  async writeOff(failed: RecordedOf<InstallmentFailed>, consistency = new ConsistencyContext()): Promise<void> {
    const { nextRetryAt, invoiceId, at: now } = failed.data;
    if (nextRetryAt !== null) return;
    const context = { ...createEventContext(failed, PROCESS), now, consistency };
    await this.billing.closeInvoice(invoiceId, { type: 'MarkInvoiceUncollectible' }, context);
  }
}
