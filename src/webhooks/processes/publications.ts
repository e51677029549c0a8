import { invoices } from '../../commerce/projections/invoices.js';
import { orders } from '../../commerce/projections/orders.js';
import { payments } from '../../commerce/projections/payments.js';
import { products } from '../../commerce/projections/products.js';
import { subscriptions } from '../../commerce/projections/subscriptions.js';
import { communities } from '../../community/projections/communities.js';
import { pointsAwards } from '../../community/projections/points-awards.js';
import { posts } from '../../community/projections/posts.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Projection } from '../../kernel/projection.js';
import { FIRST_VERSION } from '../domain/event-types.js';
import { endpointWarnings } from '../projections/endpoint-warnings.js';
import { endpoints } from '../projections/endpoints.js';

/** The public event for an event of an area: its type, and the projection whose document is its data. */
export interface Publication {
  readonly type: string;
  readonly version: string;
  readonly projection: Projection<object>;
  /** Selects the events to publish; without it, every event is published. */
  readonly only?: (event: RecordedEvent) => boolean;
  /** True if the event alone determines its document, so that the stream, which may be long, is not read. */
  readonly alone?: true;
}

/** Keyed by event type. The event's stream holds every event that its document needs. */
export const PUBLICATIONS: ReadonlyMap<string, Publication> = new Map([
  definePublication('OrderCompleted', 'cart.order.completed', orders),
  definePublication('PaymentSucceeded', 'payment.sale.succeeded', payments),
  definePublication('PaymentFailed', 'payment.sale.failed', payments),
  definePublication('InvoiceIssued', 'invoice.issued', invoices),
  definePublication('InvoicePaid', 'invoice.paid', invoices),
  definePublication('ProductApproved', 'product.approved', products),
  definePublication('ProductDenied', 'product.denied', products),
  definePublication('ProductReviewRequested', 'product.review_requested', products),
  definePublication('SubscriptionStarted', 'subscription.created', subscriptions),
  definePublication('CommunityCreated', 'community.created', communities),
  definePublication('PostCreated', 'community.post.created', posts),
  definePublication('PointsAwarded', 'community.points.awarded', pointsAwards, { alone: true }),
  definePublication('EndpointWarned', 'webhook.endpoint.warning', endpointWarnings),
  definePublication('EndpointDisabled', 'webhook.endpoint.disabled', endpoints, {
    only: ({ data }) => (data as { reason: string }).reason === 'failing',
  }),
]);

/** Returns the publication of this event, or null when the event is not published. */
export function findPublication(event: RecordedEvent): Publication | null {
  const publication = PUBLICATIONS.get(event.type);
  return publication === undefined || publication.only?.(event) === false ? null : publication;
}

function definePublication<D extends object>(
  eventType: string,
  publicType: string,
  projection: Projection<D>,
  rest: Pick<Publication, 'only' | 'alone'> = {},
): [string, Publication] {
  return [eventType, { type: publicType, version: FIRST_VERSION, projection: projection, ...rest }];
}
