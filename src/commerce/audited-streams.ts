import { type AuditedStream, auditStream, createAuditedResource, nameByKey } from '../kernel/audited-stream.js';
import { cartDecider } from './domain/cart.js';
import { discountCodeClaims, discountDecider } from './domain/discount.js';
import { installmentPlanDecider } from './domain/installment-plan.js';
import { invoiceDecider } from './domain/invoice.js';
import { invoiceNumbersDecider } from './domain/invoice-numbers.js';
import { offerDecider } from './domain/offer.js';
import { orderDecider } from './domain/order.js';
import { paymentDecider } from './domain/payment.js';
import { paymentPlanDecider } from './domain/payment-plan.js';
import { productDecider } from './domain/product.js';
import { sellerBalanceDecider } from './domain/seller-balance.js';
import { subscriptionDecider } from './domain/subscription.js';
import { testClockDecider } from './domain/test-clock.js';
import { carts } from './projections/carts.js';
import { discounts } from './projections/discounts.js';
import { invoices } from './projections/invoices.js';
import { offers } from './projections/offers.js';
import { orders } from './projections/orders.js';
import { payments } from './projections/payments.js';
import { payouts } from './projections/payouts.js';
import { products } from './projections/products.js';
import { refunds } from './projections/refunds.js';
import { subscriptionChanges } from './projections/subscription-changes.js';
import { subscriptions } from './projections/subscriptions.js';

const REFUNDS = ['refunded_amount_cents', 'refund_status'];

const discount = createAuditedResource('discount', discounts, ['redemptions']);
const invoice = createAuditedResource('invoice', invoices, REFUNDS);
const payment = createAuditedResource('payment', payments);
const product = createAuditedResource('product', products);
const subscription = createAuditedResource('subscription', subscriptions);

const ofPayment = nameByKey(payment, 'paymentId');
const ofRefund = nameByKey(createAuditedResource('refund', refunds), 'refundId');
const ofPayout = nameByKey(createAuditedResource('payout', payouts), 'payoutId');
const ofChange = nameByKey(createAuditedResource('subscription_change', subscriptionChanges), 'changeId');

export const commerceAuditedStreams: readonly AuditedStream[] = [
  auditStream(productDecider, product),
  auditStream(paymentPlanDecider, nameByKey(product, 'productId')),
  auditStream(discountDecider, discount),
  auditStream(discountCodeClaims, nameByKey(discount, 'ownerId')),
  auditStream(offerDecider, createAuditedResource('offer', offers)),
  auditStream(cartDecider, createAuditedResource('cart', carts)),
  auditStream(orderDecider, createAuditedResource('order', orders, REFUNDS)),
  auditStream(paymentDecider, payment, {
    RefundRequested: ofRefund,
    RefundUnsettled: ofRefund,
    RefundSucceeded: ofRefund,
    RefundRejected: ofRefund,
    RefundFailed: ofRefund,
  }),
  auditStream(invoiceDecider, invoice),
  auditStream(invoiceNumbersDecider, nameByKey(invoice, 'invoiceId')),
  auditStream(subscriptionDecider, subscription, {
    ChangeScheduled: ofChange,
    ChangeDeferred: ofChange,
    ChangeSuperseded: ofChange,
    ChangeWithdrawn: ofChange,
    ChangeFailed: ofChange,
    PlanChanged: ofChange,
    PriceChanged: ofChange,
  }),
  auditStream(installmentPlanDecider, createAuditedResource('line_item')),
  auditStream(sellerBalanceDecider, ofPayment, {
    PayoutPaid: ofPayout,
    RefundReserved: ofRefund,
    ReservationRefused: ofRefund,
    ReservationReleased: ofRefund,
  }),
  auditStream(testClockDecider, createAuditedResource('test_clock')),
];
