import { type PublicEventDefinition, publish } from '../kernel/public-event-definition.js';
import { invoices, invoiceSchema } from './projections/invoices.js';
import { offers, offerSchema } from './projections/offers.js';
import { orders, orderSchema } from './projections/orders.js';
import { payments, paymentSchema } from './projections/payments.js';
import { products, productSchema } from './projections/products.js';
import { refunds, refundSchema } from './projections/refunds.js';
import { subscriptionPublicEvents } from './subscription-public-events.js';

/** The public events of commerce. */
export const commercePublicEvents: readonly PublicEventDefinition[] = [
  publish({
    fact: 'OrderCompleted',
    type: 'cart.order.completed',
    summary: 'An order was completed',
    description:
      'A checkout succeeded. The order has the metadata of its cart. Each subscription line names the subscription that it started.',
    projection: orders,
    schema: orderSchema,
  }),
  publish({
    fact: 'PaymentSucceeded',
    type: 'payment.sale.succeeded',
    summary: 'A payment succeeded',
    description: 'The buyer paid for an order, a renewal or an installment.',
    projection: payments,
    schema: paymentSchema,
  }),
  publish({
    fact: 'PaymentFailed',
    type: 'payment.sale.failed',
    summary: 'A payment failed',
    description: 'The payment of an order, a renewal or an installment was refused.',
    projection: payments,
    schema: paymentSchema,
  }),
  publish({
    fact: 'RefundSucceeded',
    type: 'payment.refund.succeeded',
    summary: 'A refund succeeded',
    description: 'The buyer got money of a payment back.',
    projection: refunds,
    schema: refundSchema,
  }),
  publish({
    fact: 'RefundFailed',
    type: 'payment.refund.failed',
    summary: 'A refund failed',
    description: 'The payment gateway refused a refund, or reversed one that had succeeded.',
    projection: refunds,
    schema: refundSchema,
  }),
  publish({
    fact: 'InvoiceIssued',
    type: 'invoice.issued',
    summary: 'An invoice was issued',
    description: 'An invoice received its number.',
    projection: invoices,
    schema: invoiceSchema,
  }),
  publish({
    fact: 'InvoicePaid',
    type: 'invoice.paid',
    summary: 'An invoice was paid',
    description: 'The amount of an invoice was paid.',
    projection: invoices,
    schema: invoiceSchema,
  }),
  publish({
    fact: 'InvoiceVoided',
    type: 'invoice.voided',
    summary: 'An invoice was voided',
    description: 'An invoice is no longer payable. Its number is not used again.',
    projection: invoices,
    schema: invoiceSchema,
  }),
  publish({
    fact: 'ProductApproved',
    type: 'product.approved',
    summary: 'A product was approved',
    description: 'A reviewer approved the product, so buyers can buy it.',
    projection: products,
    schema: productSchema,
  }),
  publish({
    fact: 'ProductDenied',
    type: 'product.denied',
    summary: 'A product was denied',
    description: 'A reviewer denied the product or its changes.',
    projection: products,
    schema: productSchema,
  }),
  publish({
    fact: 'ProductReviewRequested',
    type: 'product.review_requested',
    summary: 'A product waits for review',
    description: 'A product was created, or changed in a way that needs another review.',
    projection: products,
    schema: productSchema,
  }),
  publish({
    fact: 'OfferSent',
    type: 'offer.sent',
    summary: 'An offer was sent',
    description: 'The offer was sent to its buyer, for the first time or again.',
    projection: offers,
    schema: offerSchema,
  }),
  publish({
    fact: 'OfferAccepted',
    type: 'offer.accepted',
    summary: 'An offer was accepted',
    description: 'The buyer accepted the offer and bought its content.',
    projection: offers,
    schema: offerSchema,
  }),
  publish({
    fact: 'OfferCancelled',
    type: 'offer.cancelled',
    summary: 'An offer was cancelled',
    description: 'The seller cancelled an offer.',
    projection: offers,
    schema: offerSchema,
  }),
  publish({
    fact: 'OfferExpired',
    type: 'offer.expired',
    summary: 'An offer expired',
    description: 'An offer was not accepted in time.',
    projection: offers,
    schema: offerSchema,
  }),
  ...subscriptionPublicEvents,
];
