import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { idOf } from '../../kernel/ids.js';
import { requireOwned } from '../../kernel/ownership.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { invoiceDecider } from '../domain/invoice.js';
import { orderDecider } from '../domain/order.js';
import { paymentDecider } from '../domain/payment.js';
import type { Refund } from '../domain/refund.js';
import type { RefundTerms } from '../domain/refund-decisions.js';
import { type PaymentDocument, payments } from '../projections/payments.js';
import { type RefundDocument, refunds } from '../projections/refunds.js';
import { Checkout } from './checkout.steps.js';
import { Refunds } from './refunds.steps.js';

interface RefundDetails extends Omit<RefundTerms, 'refundId'> {
  readonly paymentId: string;
}

export class RefundPayment extends ContextCommand<RefundDetails, RefundDocument> {}

@CommandHandler(RefundPayment)
export class RefundPaymentHandler implements ICommandHandler<RefundPayment> {
  constructor(
    private readonly streams: Streams,
    private readonly checkout: Checkout,
    private readonly refunds: Refunds,
  ) {}

  async execute({ context, params: { paymentId, ...details } }: RefundPayment): Promise<RefundDocument> {
    const refundId = idOf('ref', context.at, context.commandId);
    const checkSale = async () => {
      const document = await this.streams.loadDocument(paymentDecider, paymentId, payments);
      await this.finishSale(requireOwned(document, context));
      return { type: 'RequestRefund', terms: { refundId, ...details } } as const;
    };
    await this.streams.execute(paymentDecider, paymentId, checkSale, context);
    const refund = await this.refunds.finish(paymentId, refundId, context).catch(treatContentionAsUnknown);
    assertAccepted(refund);
    return render(refunds, refundId, await this.streams.loadHistory(paymentDecider, paymentId));
  }

  /** A crash may have left the sale without its invoice or its credit: both come before the first refund. */
  private async finishSale({ status, kind, order, invoice }: PaymentDocument): Promise<void> {
    if (status !== 'succeeded') return;
    if (kind === 'initial') await this.finishOrder(order.id);
    if ((await this.streams.loadState(invoiceDecider, invoice!.id)).status === 'unknown')
      throw new Rejection('concurrent_update', 'The payment has no invoice yet. Try again.');
  }

  private async finishOrder(orderId: string): Promise<void> {
    const found = await this.streams.loadState(orderDecider, orderId);
    if (found.status !== 'pending') return;
    const [placed] = await this.streams.loadHistory(orderDecider, orderId);
    await this.checkout.finish(orderId, resumeContext(placed!, 'refunds'));
  }
}

/** @throws Rejection, when the balance or the gateway refused the refund. A reversed refund had been accepted. */
function assertAccepted(refund: Refund): void {
  if (refund.status === 'rejected')
    throw new Rejection('insufficient_seller_balance', 'The balance of the seller does not cover the refund.');
  if (refund.status === 'failed' && !refund.end.reversed) throw new Rejection('refund_declined', refund.end.detail);
}

/** The refund is requested and will be finished: a refusal would make the caller request another one. */
function treatContentionAsUnknown(error: unknown): never {
  if (error instanceof Rejection && error.code === 'concurrent_update')
    throw new StoreUnavailable('the refund is requested and not finished', true, { cause: error });
  throw error;
}
