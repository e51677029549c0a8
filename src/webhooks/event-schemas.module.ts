import { Module } from '@nestjs/common';
import { invoiceSchema } from '../commerce/projections/invoices.js';
import { orderSchema } from '../commerce/projections/orders.js';
import { paymentSchema } from '../commerce/projections/payments.js';
import { productSchema } from '../commerce/projections/products.js';
import { subscriptionSchema } from '../commerce/projections/subscriptions.js';
import { communitySchema } from '../community/projections/communities.js';
import { pointsAwardSchema } from '../community/projections/points-awards.js';
import { postSchema } from '../community/projections/posts.js';
import { EventDescriptions } from '../http/openapi/event-descriptions.js';
import { ref, resource } from '../kernel/schema.js';
import { EventSchemas } from './http/event-schemas.js';
import { endpointWarningSchema } from './projections/endpoint-warnings.js';
import { endpointSchema } from './projections/endpoints.js';

/** The data of a test event. */
const testDataSchema = resource('WebhookTest', { endpoint: ref('webhook_endpoint', 'whs') });

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
  'community.created': communitySchema,
  'community.post.created': postSchema,
  'community.points.awarded': pointsAwardSchema,
  'webhook.test': testDataSchema,
  'webhook.endpoint.warning': endpointWarningSchema,
  'webhook.endpoint.disabled': endpointSchema,
});

@Module({
  providers: [
    { provide: EventSchemas, useValue: schemas },
    { provide: EventDescriptions, useExisting: EventSchemas },
  ],
  exports: [EventSchemas],
})
export class EventSchemasModule {}
