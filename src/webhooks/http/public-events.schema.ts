import { dateTime, enumOf, example, freeForm, id, resource, string } from '../../kernel/schema.js';

export const publicEventSchema = resource('PublicEvent', {
  id: id('evt'),
  object: enumOf('event'),
  type: example('cart.order.completed'),
  version: string,
  occurred_at: dateTime,
  data: freeForm,
});
