import type { Feature } from '../../engine/feature.js';
import { createAuditedResource } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { RefundPaymentHandler } from '../commands/refund.commands.js';
import { Refunds } from '../commands/refunds.steps.js';
import { RefundsController } from '../http/refunds.controller.js';
import { FinishRefunds } from '../processes/finish-refunds.js';
import { SettleRefunds } from '../processes/settle-refunds.js';
import { refunds, refundSchema } from '../projections/refunds.js';

export const refund = createAuditedResource('refund', refunds);

/** The streams of payments and of the seller's balance have the events of refunds. */
export const refundFeature: Feature = {
  projections: [refunds],
  publicEvents: [
    publish({
      fact: 'RefundSucceeded',
      type: 'payment.refund.succeeded',
      summary: 'A refund succeeded',
      description: 'The buyer got money of a payment back.',
      projection: refunds,
      schema: refundSchema,
      change: true,
    }),
    publish({
      fact: 'RefundFailed',
      type: 'payment.refund.failed',
      summary: 'A refund failed',
      description: 'The payment gateway refused a refund, or reversed one that had succeeded.',
      projection: refunds,
      schema: refundSchema,
      change: true,
    }),
    publish({
      fact: 'RefundUnsettled',
      type: 'payment.refund.pending',
      summary: 'A refund is pending',
      description: 'The payment gateway accepted a refund whose result is not known yet.',
      projection: refunds,
      schema: refundSchema,
      change: true,
    }),
  ],
  controllers: [RefundsController],
  providers: [Refunds, RefundPaymentHandler, SettleRefunds],
  reactors: [FinishRefunds],
  jobs: [FinishRefunds],
};
