import { currency, id, list, maybe, object, one, refer, resource, text, time } from '../../http/openapi/shape.js';
import type { InvoiceDocument } from '../projections/invoices.js';
import { begun, buyer, cents, line, totals } from './resource.shape.js';

export const invoice = resource<InvoiceDocument>('Invoice', {
  ...begun('invoice', 'inv'),
  ...totals,
  number: text,
  status: one('open', 'paid', 'void', 'uncollectible'),
  kind: one('sale', 'renewal'),
  buyer,
  order: refer('order', 'ord'),
  subscription: maybe(refer('subscription', 'ps')),
  payment: maybe(refer('payment', 'pay')),
  lines: list(object({ id: id('li'), ...line, name: text })),
  paid_amount_cents: cents,
  refunded_amount_cents: cents,
  currency,
  issued_at: time,
  due_at: time,
  paid_at: maybe(time),
  voided_at: maybe(time),
});
