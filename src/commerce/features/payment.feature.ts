import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { Billing } from '../commands/billing.steps.js';
import { Settlements } from '../commands/settlements.steps.js';
import { paymentDecider } from '../domain/payment.js';
import { PaymentsController } from '../http/payments.controller.js';
import { SettlePayments } from '../processes/settle-payments.js';
import { payments, paymentSchema } from '../projections/payments.js';
import { ListSalesHandler } from '../queries/sales.queries.js';
import { dispute } from './dispute.feature.js';
import { refund } from './refund.feature.js';

const ofRefund = nameByKey(refund, 'refundId');
const ofDispute = nameByKey(dispute, 'disputeId');
export const payment = createAuditedResource('payment', payments);

export const paymentFeature: Feature = {
  streams: [
    auditStream(paymentDecider, payment, {
      RefundRequested: ofRefund,
      RefundUnsettled: ofRefund,
      RefundSucceeded: ofRefund,
      RefundRejected: ofRefund,
      RefundFailed: ofRefund,
      PaymentDisputed: ofDispute,
      DisputeFeeCharged: ofDispute,
      DisputeClosed: ofDispute,
    }),
  ],
  projections: [payments],
  publicEvents: [
    publish({
      fact: 'PaymentSucceeded',
      type: 'payment.sale.succeeded',
      summary: 'A payment succeeded',
      description: 'The buyer paid for an order, a renewal or an installment.',
      projection: payments,
      schema: paymentSchema,
      change: true,
    }),
    publish({
      fact: 'PaymentFailed',
      type: 'payment.sale.failed',
      summary: 'A payment failed',
      description: 'The payment of an order, a renewal or an installment was refused.',
      projection: payments,
      schema: paymentSchema,
      change: true,
    }),
    publish({
      fact: 'FundsReleased',
      type: 'payment.funds_available',
      summary: 'Funds are available',
      description: 'The money of a payment can be paid out to the seller.',
      projection: payments,
      schema: paymentSchema,
      change: true,
    }),
  ],
  controllers: [PaymentsController],
  providers: [Billing, Settlements, ListSalesHandler, SettlePayments],
};
