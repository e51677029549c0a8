import { free, id, like, one, resource, text, time } from '../../http/openapi/shape.js';
import type { PublicEventView } from '../projections/public-event.queries.js';

export const publicEvent = resource<PublicEventView>('PublicEvent', {
  id: id('evt'),
  object: one('event'),
  type: like('cart.order.completed'),
  version: text,
  occurred_at: time,
  data: free,
});
