import { currency, free, id, list, maybe, object, one, refer, resource, sometimes, text, time, uri } from '../../http/openapi/shape.js';
import type { CheckedOut } from '../commands/checkout.commands.js';
import type { LineItemDocument, OrderDocument } from '../projections/orders.js';
import { begun, buyer, cents, line, refundStatus, totals } from './resource.shape.js';

const lineItem = object<LineItemDocument>({
  object: one('line_item'),
  id: id('li'),
  ...line,
  kind: one('one_time', 'subscription', 'installment'),
  name: text,
  discount_amount_cents: cents,
  tax_amount_cents: cents,
  currency,
  subscription: sometimes(refer('subscription', 'ps')),
});

const fields = {
  ...begun('order', 'ord'),
  ...totals,
  status: one('pending', 'completed', 'failed', 'cancelled'),
  buyer,
  line_items: list(lineItem),
  refunded_amount_cents: cents,
  refund_status: refundStatus,
  currency,
  payments: list(refer('payment', 'pay')),
  invoice: maybe(refer('invoice', 'inv')),
  offer: maybe(refer('offer', 'off')),
  cart: refer('cart', 'cart'),
  metadata: free,
  external_reference: maybe(text),
  completed_at: maybe(time),
};

export const order = resource<OrderDocument>('Order', fields);

export const checkedOut = resource<CheckedOut>('CheckedOutOrder', { ...fields, redirect_url: maybe(uri) });
