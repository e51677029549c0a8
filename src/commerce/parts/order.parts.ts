import type { NounParts } from '../../engine/area-parts.js';
import { CheckOutCartHandler } from '../commands/checkout.commands.js';
import { Checkout } from '../commands/checkout.steps.js';
import { Fulfilment } from '../commands/fulfilment.steps.js';
import { CheckoutController } from '../http/checkout.controller.js';
import { OrdersController } from '../http/orders.controller.js';
import { FinishCheckouts } from '../processes/finish-checkouts.js';
import { ListOrdersHandler } from '../queries/order.queries.js';

export const orderParts: NounParts = {
  controllers: [CheckoutController, OrdersController],
  providers: [Checkout, Fulfilment, CheckOutCartHandler, ListOrdersHandler],
  reactors: [FinishCheckouts],
  jobs: [FinishCheckouts],
};
