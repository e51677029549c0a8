import { currency, free, id, list, maybe, nothing, object, one, resource, text, time, uri } from '../../http/openapi/shape.js';
import type { CartDocument } from '../projections/carts.js';
import { begun, buyer, line, totals } from './resource.shape.js';

export const cart = resource<CartDocument>('Cart', {
  ...begun('cart', 'cart'),
  ...totals,
  status: one('open', 'completed', 'expired'),
  currency: maybe(currency),
  buyer: maybe(buyer),
  lines: list(object({ id: id('cl'), ...line })),
  discount: nothing,
  offer: nothing,
  metadata: free,
  external_reference: maybe(text),
  redirect_url: maybe(uri),
  expires_at: time,
});
