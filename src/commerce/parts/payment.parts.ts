import type { NounParts } from '../../engine/area-parts.js';
import { Billing } from '../commands/billing.steps.js';
import { PaymentsController } from '../http/payments.controller.js';
import { SettlePayments } from '../processes/settle-payments.js';
import { ListSalesHandler } from '../queries/sales.queries.js';

export const paymentParts: NounParts = {
  controllers: [PaymentsController],
  providers: [Billing, ListSalesHandler, SettlePayments],
};
