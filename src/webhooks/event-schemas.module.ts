import { Module } from '@nestjs/common';
import { invoiceSchema } from '../commerce/projections/invoices.js';
import { orderSchema } from '../commerce/projections/orders.js';
import { paymentSchema } from '../commerce/projections/payments.js';
import { productSchema } from '../commerce/projections/products.js';
import { subscriptionSchema } from '../commerce/projections/subscriptions.js';
import { community } from '../community/http/communities.shape.js';
import { pointsAward } from '../community/http/points.shape.js';
import { post } from '../community/http/posts.shape.js';
import { endpoint, endpointWarning, testData } from './http/endpoints.shape.js';
import { DescribedEvents } from '../http/openapi/described-events.js';
import { EventSchemas } from './http/event-schemas.js';

/** The data of a public event has the schema of an API resource. */
const schemas = new EventSchemas({
  'cart.order.completed': orderSchema,
  'payment.sale.succeeded': paymentSchema,
  'payment.sale.failed': paymentSchema,
  'invoice.issued': invoiceSchema,
  'invoice.paid': invoiceSchema,
  'product.approved': productSchema,
  'product.denied': productSchema,
  'product.review_requested': productSchema,
  'subscription.created': subscriptionSchema,
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
