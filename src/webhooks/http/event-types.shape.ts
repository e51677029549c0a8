import { flag, like, one, resource, text } from '../../http/openapi/shape.js';
import type { EventType } from '../domain/event-types.js';

export const eventType = resource<EventType>('EventType', {
  id: like('cart.order.completed'),
  object: one('event_type'),
  category: like('cart'),
  summary: text,
  description: text,
  accepts_new_subscriptions: flag,
  sent: flag,
});
