import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext, resumeContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import { chargeKeyOf } from '../domain/charge.js';
import { paymentDecider, type SucceededPayment } from '../domain/payment.js';
import { findRefund, type Refund, type RefundEvent, type RequestedRefund } from '../domain/refund.js';
import type { RefundCommand } from '../domain/refund-decisions.js';
import { PaymentGateway, type RefundRequest } from '../payment-gateway.js';
import { Installments } from './installments.steps.js';
import { SellerBalances } from './seller-balance.steps.js';

/**
 * Runs the steps of a refund, which write to the streams of its payment and of the seller's balance. Each step is
 * idempotent: the request and `finish-refunds` derive the same command ids from RefundRequested.
 */
@Injectable()
export class Refunds {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly balances: SellerBalances,
    private readonly installments: Installments,
  ) {}

  /**
   * Continues a refund to its end, or until the gateway has a result.
   * @param context the context of the RequestRefund command
   */
  async finish(paymentId: string, refundId: string, context: Context): Promise<Refund> {
    const { payment, refund } = await this.require(paymentId, refundId);
    if (refund.status === 'requested') {
      await this.reserveFee(payment, refund.requested);
      const command = (await this.reserve(refund.requested, context))
        ? await this.refund(payment, refund.requested)
        : ({ type: 'RejectRefund', refundId } as const);
      await this.execute(paymentId, command, createChildContext(context, command.type));
    }
    return this.end(paymentId, refundId, context);
  }

  /** Asks the gateway for the result of an unsettled refund. */
  async check(paymentId: string, refundId: string, context: Context): Promise<Refund> {
    const { payment, refund } = await this.require(paymentId, refundId);
    if (refund.status === 'unsettled') {
      const result = await this.gateway.getRefundStatus(toGatewayRequest(payment, refund.requested));
      await this.execute(paymentId, { type: 'SettleRefund', refundId, result }, context);
    }
    return this.end(paymentId, refundId, context);
  }

  /** Records that the gateway reports a refund as failed, also after it had succeeded. */
  async reverse(
    paymentId: string,
    refundId: string,
    failure: { readonly code: string; readonly detail: string },
    context: Context,
  ): Promise<Refund> {
    await this.execute(paymentId, { type: 'ReverseRefund', refundId, ...failure }, context);
    return this.end(paymentId, refundId, context);
  }

  /** The first refund of a payment brings its fee to the balance, before another refund of the payment is decided. */
  private async reserveFee(payment: SucceededPayment, { paymentId, refundId }: RequestedRefund): Promise<void> {
    const bringsFee = ({ status, requested }: Refund) => status === 'requested' && requested.feeCents > 0;
    const first = payment.refunds.list.find(bringsFee)?.requested;
    if (first === undefined || first.refundId === refundId) return;
    const requested = await this.requireEvent(paymentId, first.refundId, 'RefundRequested');
    await this.reserve(first, resumeContext(requested, 'refunds'));
  }

  private async reserve(refund: RequestedRefund, context: Context): Promise<boolean> {
    const { refundId, paymentId, businessId, currency, amountCents, feeCents } = refund;
    const reservation = { refundId, paymentId, businessId, currency, amountCents, feeCents };
    const requested = await this.requireEvent(paymentId, refundId, 'RefundRequested');
    return this.balances.reserve(reservation, requested, createChildContext(context, 'reserve'));
  }

  private async refund(payment: SucceededPayment, refund: RequestedRefund): Promise<RefundCommand> {
    const result = await this.gateway.refund(toGatewayRequest(payment, refund));
    return { type: 'SettleRefund', refundId: refund.refundId, result };
  }

  /**
   * Returns the amount of a failed refund to the seller. A rejected refund only corrects the fees. A successful one ends
   * the installments of an order of which everything is refunded.
   */
  private async end(paymentId: string, refundId: string, context: Context): Promise<Refund> {
    const { refund } = await this.require(paymentId, refundId);
    if (refund.status === 'succeeded') await this.installments.endIfRefunded(refund.requested.orderId, context);
    if (refund.status !== 'failed' && refund.status !== 'rejected') return refund;

    const { businessId, currency, amountCents, feeChangeCents } = refund.end;
    const reservedCents = refund.status === 'failed' ? amountCents : 0;
    if (reservedCents === 0 && feeChangeCents === 0) return refund;
    const ended = await this.requireEvent(
      paymentId,
      refundId,
      refund.status === 'failed' ? 'RefundFailed' : 'RefundRejected',
    );
    const release = { refundId, paymentId, businessId, currency, amountCents: reservedCents, feeChangeCents };
    await this.balances.release(release, ended, createChildContext(context, 'release'));
    return refund;
  }

  private async execute(paymentId: string, command: RefundCommand, context: Context): Promise<void> {
    await this.streams.execute(paymentDecider, paymentId, command, context);
  }

  private async require(paymentId: string, refundId: string): Promise<{ payment: SucceededPayment; refund: Refund }> {
    const payment = await this.streams.loadState(paymentDecider, paymentId);
    const refund = payment.status === 'succeeded' ? findRefund(payment.refunds.list, refundId) : undefined;
    if (payment.status !== 'succeeded' || refund === undefined) throw Rejection.notFound();
    return { payment, refund };
  }

  private async requireEvent(paymentId: string, refundId: string, type: RefundEvent['type']): Promise<RecordedEvent> {
    const history = await this.streams.loadHistory(paymentDecider, paymentId);
    return findRefundEvent(history, refundId, type);
  }
}

/** Returns the first event of this type, which must be in the history of the payment. */
export function findRefundEvent(
  history: readonly RecordedEvent[],
  refundId: string,
  type: RefundEvent['type'],
): RecordedEvent {
  return history.find((event) => event.type === type && (event.data as RequestedRefund).refundId === refundId)!;
}

function toGatewayRequest({ charge, success }: SucceededPayment, refund: RequestedRefund): RefundRequest {
  const { refundId: key, amountCents, currency } = refund;
  return {
    key,
    chargeKey: chargeKeyOf(charge),
    gatewayReference: success.gatewayReference,
    amountCents,
    currency,
  };
}
