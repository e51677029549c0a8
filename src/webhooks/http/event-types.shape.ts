import { flag, like, one, resource, text, type Resource } from '../../kernel/schema.js';

export const eventType = resource('EventType', {
  id: like('cart.order.completed'),
  object: one('event_type'),
  category: like('cart'),
  summary: text,
  description: text,
  accepts_new_subscriptions: flag,
  sent: flag,
});

/** The schema of a JSON Schema that describes an object. */
export const dataSchema: Resource = {
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
