import { free, id, like, one, resource, text, time } from '../../kernel/schema.js';

export const publicEvent = resource('PublicEvent', {
  id: id('evt'),
  object: one('event'),
  type: like('cart.order.completed'),
  version: text,
  occurred_at: time,
  data: free,
});
