import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { Crediting } from '../commands/crediting.steps.js';
import { PayOutHandler } from '../commands/payout.commands.js';
import { SellerBalances } from '../commands/seller-balance.steps.js';
import { sellerBalanceDecider } from '../domain/seller-balance.js';
import { BalanceController } from '../http/balance.controller.js';
import { ReleaseFunds } from '../processes/release-funds.js';
import { balances } from '../projections/balances.js';
import { payouts, payoutSchema } from '../projections/payouts.js';
import { RetrieveBalanceHandler } from '../queries/balance.queries.js';
import { dispute } from './dispute.feature.js';
import { payment } from './payment.feature.js';
import { refund } from './refund.feature.js';

const ofPayout = nameByKey(createAuditedResource('payout', payouts), 'payoutId');
const ofRefund = nameByKey(refund, 'refundId');

export const sellerBalanceFeature: Feature = {
  streams: [
    auditStream(sellerBalanceDecider, nameByKey(payment, 'paymentId'), {
      PayoutPaid: ofPayout,
      DisputeBooked: nameByKey(dispute, 'disputeId'),
      RefundReserved: ofRefund,
      ReservationRefused: ofRefund,
      ReservationReleased: ofRefund,
    }),
  ],
  projections: [balances, payouts],
  publicEvents: [
    publish({
      fact: 'PayoutPaid',
      type: 'payout.paid',
      summary: 'A payout was paid',
      description: 'The seller is paid from the available balance.',
      projection: payouts,
      schema: payoutSchema,
    }),
  ],
  controllers: [BalanceController],
  providers: [SellerBalances, Crediting, PayOutHandler, RetrieveBalanceHandler, ReleaseFunds],
};
