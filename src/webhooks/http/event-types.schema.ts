import { boolean, enumOf, example, type Resource, resource, string } from '../../kernel/schema.js';

export const eventTypeSchema = resource('EventType', {
  id: example('cart.order.completed'),
  object: enumOf('event_type'),
  category: example('cart'),
  summary: string,
  description: string,
  accepts_new_subscriptions: boolean,
  sent: boolean,
});

/** The schema of a JSON Schema that describes an object. */
export const eventDataSchema: Resource = {
  name: 'EventDataSchema',
  schema: {
    type: 'object',
    required: ['$schema', 'title', 'type', 'required', 'properties', 'examples'],
    properties: {
      $schema: { type: 'string', format: 'uri' },
      title: { type: 'string' },
      type: { type: 'string', enum: ['object'] },
      required: { type: 'array', items: { type: 'string' } },
      properties: { type: 'object', additionalProperties: true },
      examples: { type: 'array', items: { type: 'object', additionalProperties: true } },
    },
  },
};
