import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { CheckOutCartHandler } from '../commands/checkout.commands.js';
import { Checkout } from '../commands/checkout.steps.js';
import { Fulfilment } from '../commands/fulfilment.steps.js';
import { orderDecider } from '../domain/order.js';
import { CheckoutController } from '../http/checkout.controller.js';
import { OrdersController } from '../http/orders.controller.js';
import { FinishCheckouts } from '../processes/finish-checkouts.js';
import { orderProducts } from '../projections/order-products.js';
import { orders, orderSchema } from '../projections/orders.js';
import { ListOrdersHandler } from '../queries/order.queries.js';

/** Other streams determine these fields. */
const OMITTED = ['refunded_amount_cents', 'refund_status', 'payments', 'installments', 'livemode'];

export const orderFeature: Feature = {
  streams: [auditStream(orderDecider, createAuditedResource('order', orders, OMITTED))],
  projections: [orders, orderProducts],
  publicEvents: [
    publish({
      fact: 'OrderCompleted',
      type: 'cart.order.completed',
      summary: 'An order was completed',
      description:
        'A checkout succeeded. The order has the metadata of its cart. Each subscription line names the subscription that it started.',
      projection: orders,
      schema: orderSchema,
      change: true,
    }),
    publish({
      fact: 'OrderFailed',
      type: 'order.failed',
      summary: 'An order failed',
      description: 'The payment of a checkout was refused, so the order will not be completed.',
      projection: orders,
      schema: orderSchema,
      change: true,
    }),
  ],
  controllers: [CheckoutController, OrdersController],
  providers: [Checkout, Fulfilment, CheckOutCartHandler, ListOrdersHandler],
  reactors: [FinishCheckouts],
  jobs: [FinishCheckouts],
};
