import type { NounParts } from '../../engine/area-parts.js';
import { RefundPaymentHandler } from '../commands/refund.commands.js';
import { Refunds } from '../commands/refund.steps.js';
import { RefundsController } from '../http/refunds.controller.js';
import { FinishRefunds } from '../processes/finish-refunds.js';
import { SettleRefunds } from '../processes/settle-refunds.js';

export const refundParts: NounParts = {
  controllers: [RefundsController],
  providers: [Refunds, RefundPaymentHandler, SettleRefunds],
  reactors: [FinishRefunds],
  jobs: [FinishRefunds],
};
