import { currency, flag, free, id, list, maybe, object, one, resource, text, time, whole, type Shape } from '../../http/openapi/shape.js';
import type { BuyerProductDocument } from '../projections/buyer-products.js';
import type { PlanDocument, ProductDocument } from '../projections/products.js';
import { begun, cents } from './resource.shape.js';

const plan: Shape<PlanDocument> = object({
  object: one('payment_plan'),
  id: id('plan'),
  kind: one('one_time', 'subscription', 'installment'),
  name: maybe(text),
  amount_cents: cents,
  currency,
  interval: maybe(one('day', 'week', 'month', 'year')),
  interval_count: whole,
  installments_count: maybe(whole),
  status: one('active', 'archived'),
});

const files: Shape<readonly object[]> = { schema: { type: 'array', items: { type: 'object', additionalProperties: true } } };

const ofEverybody = { ...begun('product', 'prod'), name: text, description: maybe(text), plans: list(plan), images: files };

export const product = resource<ProductDocument>('Product', {
  ...ofEverybody,
  status: one('active', 'inactive'),
  approval_status: one('review', 'denied', 'denied_changed', 'approved'),
  approval_note: maybe(text),
  reviewed_at: maybe(time),
  revision: whole,
  reviewed_revision: maybe(whole),
  attachments: files,
  metadata: free,
  external_reference: maybe(text),
  updated_at: time,
});

export const buyerProduct = resource<BuyerProductDocument>('BuyerProduct', {
  ...ofEverybody,
  purchasable: flag,
  purchase_block_reason: one('none', 'pending_approval', 'inactive', 'no_active_plan'),
});
