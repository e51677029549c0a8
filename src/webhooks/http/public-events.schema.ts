import { freeForm, id, example, enumOf, resource, string, dateTime } from '../../kernel/schema.js';

export const publicEventSchema = resource('PublicEvent', {
  id: id('evt'),
  object: enumOf('event'),
  type: example('cart.order.completed'),
  version: string,
  occurred_at: dateTime,
  data: freeForm,
});
