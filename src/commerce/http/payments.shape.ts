import { currency, maybe, object, one, refer, resource, text, time } from '../../http/openapi/shape.js';
import type { PaymentDocument } from '../projections/payments.js';
import { begun, buyer, cents, refundStatus } from './resource.shape.js';

export const payment = resource<PaymentDocument>('Payment', {
  ...begun('payment', 'pay'),
  status: one('pending', 'succeeded', 'failed'),
  refund_status: refundStatus,
  kind: one('initial', 'renewal', 'installment'),
  order: refer('order', 'ord'),
  subscription: maybe(refer('subscription', 'ps')),
  invoice: maybe(refer('invoice', 'inv')),
  buyer,
  amount_cents: cents,
  refunded_amount_cents: cents,
  refundable_amount_cents: cents,
  fee_cents: cents,
  net_amount_cents: cents,
  currency,
  method: maybe(object({ type: text, brand: maybe(text), last4: maybe(text) })),
  gateway: text,
  gateway_reference: maybe(text),
  failure: maybe(object({ code: text, detail: text })),
  cash_flow_at: maybe(time),
});
