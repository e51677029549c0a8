import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { requireEvent } from '../../../engine/streams/event-search.js';
import { Streams } from '../../../engine/streams/streams.js';
import { BusinessClock } from '../../../kernel/business-clock.js';
import { createChildContext, createEventContext } from '../../../kernel/context.js';
import { GatewayEvents } from '../../../kernel/gateway-events.js';
import { Rejection } from '../../../kernel/rejection.js';
import { Disputes } from '../../commands/disputes.steps.js';
import { Refunds } from '../../commands/refunds.steps.js';
import type { Charge } from '../../domain/charge.js';
import { type PaymentCommand, paymentDecider } from '../../domain/payment.js';
import { findRefund } from '../../domain/refund.js';
import { SettlePayments } from '../../processes/settle-payments.js';
import type { TimerContext } from '../../processes/timers/timer-handler.js';
import { toChargeResult } from './charge-results.js';
import { toDisputeReport } from './dispute-reports.js';
import type { EventSignatures } from './event-signatures.js';
import { toRefundResult } from './refund-results.js';
import { StripeConnection } from './stripe-connection.js';
import type { StripeGateway } from './stripe-gateway.js';

const PROCESS = 'stripe-events';

/** The payment that an event is about, and the context of its commands. Their ids derive from the event's own id. */
interface Subject {
  readonly charge: Charge;
  readonly context: TimerContext;
}

/** Runs the commands that the events of Stripe cause. A repeated event, and one of an unknown type, changes nothing. */
@Injectable()
export class StripeEvents extends GatewayEvents {
  constructor(
    private readonly connection: StripeConnection,
    private readonly streams: Streams,
    private readonly clock: BusinessClock,
    private readonly payments: SettlePayments,
    private readonly refunds: Refunds,
    private readonly disputes: Disputes,
  ) {
    super();
  }

  override assertForm({ 'stripe-signature': signature }: IncomingHttpHeaders): void {
    const { signatures } = this.requireSource();
    if (typeof signature !== 'string' || !signatures.canBeValid(signature)) throw createInvalidSignature();
  }

  /** @throws Rejection `not_found` without a signing secret, `invalid_signature`, `invalid_json` */
  async receive(bytes: Buffer, signature: string): Promise<void> {
    const { gateway, signatures, mode } = this.requireSource();
    const event = verify(signatures, bytes, signature);
    if (event.livemode !== (mode === 'live')) return;

    switch (event.type) {
      case 'payment_intent.succeeded':
      case 'payment_intent.payment_failed':
      case 'payment_intent.canceled':
        await this.settlePayment(event, event.data.object.id, gateway);
        return;
      case 'charge.refund.updated':
      case 'refund.updated':
      case 'refund.failed':
        return this.settleRefund(event, event.data.object);
      case 'charge.dispute.created':
      case 'charge.dispute.updated':
      case 'charge.dispute.funds_withdrawn':
      case 'charge.dispute.funds_reinstated':
      case 'charge.dispute.closed':
        return this.recordDispute(event, event.data.object, gateway);
      default:
    }
  }

  /** @throws Rejection `not_found` without a signing secret */
  private requireSource() {
    const { config, gateway, signatures } = this.connection;
    if (config === null || gateway === null || signatures === null) throw Rejection.notFound();
    return { gateway, signatures, mode: config.mode };
  }

  /** Settles the payment with what Stripe says now: events can arrive late and in another order. */
  private async settlePayment(event: Stripe.Event, intentId: string, gateway: StripeGateway): Promise<Subject | null> {
    const intent = await gateway.retrieveIntent(intentId).catch(rejectForNow);
    const subject = await this.findSubject(event, intent.metadata.payment_id);
    const result = toChargeResult(intent);
    if (subject === null || result.status === 'pending') return null;

    const { charge, context } = subject;
    await this.execute(subject, { type: 'SettlePayment', result });
    await this.payments.run(charge.paymentId, context);
    return subject;
  }

  /** Settles an unsettled refund, and reverses one that failed after its success. */
  private async settleRefund(event: Stripe.Event, refund: Stripe.Refund): Promise<void> {
    const { payment_id: paymentId, refund_id: refundId } = refund.metadata ?? {};
    const subject = await this.findSubject(event, paymentId);
    if (subject === null || refundId === undefined || !(await this.hasRefund(paymentId!, refundId))) return;

    const result = toRefundResult(refund);
    if (result.status === 'declined') await this.refunds.reverse(paymentId!, refundId, result, subject.context);
    else await this.refunds.check(paymentId!, refundId, subject.context);
  }

  /** Records the state of the dispute in the event. The type does not matter: events can arrive late and in another order. */
  private async recordDispute(event: Stripe.Event, dispute: Stripe.Dispute, gateway: StripeGateway): Promise<void> {
    const { payment_intent: intent } = dispute;
    const report = toDisputeReport(dispute);
    if (intent === null || report === null) return;
    const subject = await this.settlePayment(event, typeof intent === 'string' ? intent : intent.id, gateway);
    if (subject === null) return;

    const { charge, context } = subject;
    const command = { type: 'RecordDispute', report } as const;
    await this.disputes.execute(charge.paymentId, command, createChildContext(context, command.type));
  }

  private async hasRefund(paymentId: string, refundId: string): Promise<boolean> {
    const payment = await this.streams.loadState(paymentDecider, paymentId);
    return payment.status === 'succeeded' && findRefund(payment.refunds.list, refundId) !== undefined;
  }

  private async execute({ charge, context }: Subject, command: PaymentCommand): Promise<void> {
    const commandContext = createChildContext(context, command.type);
    await this.streams.execute(paymentDecider, charge.paymentId, command, commandContext);
  }

  /** Returns null for a payment that is not of this service, or not of Stripe. */
  private async findSubject(event: Stripe.Event, paymentId: string | undefined): Promise<Subject | null> {
    if (paymentId === undefined) return null;
    const payment = await this.streams.loadState(paymentDecider, paymentId);
    if (payment.status === 'unknown' || payment.charge.gateway !== this.connection.gateway?.getName()) return null;
    const started = await requireEvent(this.streams, paymentDecider, paymentId, 'PaymentStarted');
    const context = createEventContext(started, PROCESS, event.id);
    return { charge: payment.charge, context: { ...context, now: await this.clock.now(context) } };
  }
}

function verify(signatures: EventSignatures, bytes: Buffer, signature: string): Stripe.Event {
  const event = readVerified(signatures, bytes, signature);
  if (!isEvent(event)) throw new Rejection('invalid_json', 'The body is not an event of Stripe.');
  return event;
}

function readVerified(signatures: EventSignatures, bytes: Buffer, signature: string): unknown {
  try {
    return signatures.verify(bytes, signature);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw createInvalidSignature();
  }
}

function createInvalidSignature(): Rejection {
  return new Rejection('invalid_signature', 'The signature is missing, wrong, or older than 5 minutes.');
}

function isEvent(value: unknown): value is Stripe.Event {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: { readonly object?: unknown } };
  return typeof type === 'string' && typeof data?.object === 'object' && data.object !== null;
}

/** Stripe sends the event again after an error. */
function rejectForNow(): never {
  throw new Rejection('service_unavailable', 'Stripe could not be asked for the payment.');
}
