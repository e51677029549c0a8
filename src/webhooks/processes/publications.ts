import { invoices } from '../../commerce/projections/invoices.js';
import { orders } from '../../commerce/projections/orders.js';
import { payments } from '../../commerce/projections/payments.js';
import { products } from '../../commerce/projections/products.js';
import { subscriptions } from '../../commerce/projections/subscriptions.js';
import { communities } from '../../community/projections/communities.js';
import { pointsAwards } from '../../community/projections/points-awards.js';
import { posts } from '../../community/projections/posts.js';
import type { Recorded } from '../../kernel/event.js';
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
  readonly only?: (fact: Recorded) => boolean;
  /** True if the event alone determines its document, so that the stream, which may be long, is not read. */
  readonly alone?: true;
}

/** Keyed by event type. The event's stream holds every event that its document needs. */
export const PUBLICATIONS: ReadonlyMap<string, Publication> = new Map([
  published('OrderCompleted', 'cart.order.completed', orders),
  published('PaymentSucceeded', 'payment.sale.succeeded', payments),
  published('PaymentFailed', 'payment.sale.failed', payments),
  published('InvoiceIssued', 'invoice.issued', invoices),
  published('InvoicePaid', 'invoice.paid', invoices),
  published('ProductApproved', 'product.approved', products),
  published('ProductDenied', 'product.denied', products),
  published('ProductReviewRequested', 'product.review_requested', products),
  published('SubscriptionStarted', 'subscription.created', subscriptions),
  published('CommunityCreated', 'community.created', communities),
  published('PostCreated', 'community.post.created', posts),
  published('PointsAwarded', 'community.points.awarded', pointsAwards, { alone: true }),
  published('EndpointWarned', 'webhook.endpoint.warning', endpointWarnings),
  published('EndpointDisabled', 'webhook.endpoint.disabled', endpoints, {
    only: ({ data }) => (data as { reason: string }).reason === 'failing',
  }),
]);

/** Returns the publication of this event, or null when the event is not published. */
export function publicationOf(fact: Recorded): Publication | null {
  const publication = PUBLICATIONS.get(fact.type);
  return publication === undefined || publication.only?.(fact) === false ? null : publication;
}

function published<D extends object>(
  fact: string,
  type: string,
  projection: Projection<D>,
  rest: Pick<Publication, 'only' | 'alone'> = {},
): [string, Publication] {
  return [fact, { type, version: FIRST_VERSION, projection: projection as unknown as Projection<object>, ...rest }];
}
