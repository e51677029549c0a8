import { Module } from '@nestjs/common';
import { invoice } from '../commerce/http/invoices.shape.js';
import { order } from '../commerce/http/orders.shape.js';
import { payment } from '../commerce/http/payments.shape.js';
import { product } from '../commerce/http/products.shape.js';
import { subscription } from '../commerce/http/subscriptions.shape.js';
import { community } from '../community/http/communities.shape.js';
import { pointsAward } from '../community/http/points.shape.js';
import { post } from '../community/http/posts.shape.js';
import { endpoint, endpointWarning, testData } from './http/endpoints.shape.js';
import { DescribedEvents } from '../http/openapi/described-events.js';
import { EventSchemas } from './http/event-schemas.js';

/** The data of a public event has the schema of an API resource. */
const schemas = new EventSchemas({
  'cart.order.completed': order,
  'payment.sale.succeeded': payment,
  'payment.sale.failed': payment,
  'invoice.issued': invoice,
  'invoice.paid': invoice,
  'product.approved': product,
  'product.denied': product,
  'product.review_requested': product,
  'subscription.created': subscription,
  'community.created': community,
  'community.post.created': post,
  'community.points.awarded': pointsAward,
  'webhook.test': testData,
  'webhook.endpoint.warning': endpointWarning,
  'webhook.endpoint.disabled': endpoint,
});

@Module({
  providers: [
    { provide: EventSchemas, useValue: schemas },
    { provide: DescribedEvents, useExisting: EventSchemas },
  ],
  exports: [EventSchemas],
})
export class EventSchemasModule {}
