import { idIn, type Changes, type EventOf, type Projection } from '../../kernel/projection.js';
import type { Plan } from '../domain/payment-plan.js';
import type { ApprovalStatus, ProductContent, ProductEvent, ProductStatus } from '../domain/product.js';
import { OWNER } from '../../kernel/ownership.js';
import { type Reference } from '../../kernel/reference.js';
import { resource, type Resource } from './resources.js';

export interface PlanDocument extends Reference<'payment_plan'> {
  readonly kind: Plan['kind'];
  readonly name: string | null;
  readonly amount_cents: number;
  readonly currency: string;
  readonly interval: Plan['interval'];
  readonly interval_count: number;
  readonly installments_count: number | null;
  readonly status: Plan['status'];
}

export interface ProductDocument extends Resource<'product'> {
  readonly name: string;
  readonly description: string | null;
  readonly status: ProductStatus;
  readonly approval_status: ApprovalStatus;
  readonly approval_note: string | null;
  readonly reviewed_at: string | null;
  readonly revision: number;
  readonly reviewed_revision: number | null;
  readonly plans: readonly PlanDocument[];
  readonly images: readonly object[];
  readonly attachments: readonly object[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly external_reference: string | null;
  readonly updated_at: string;
}

type Event<T extends ProductEvent['type']> = EventOf<ProductEvent, T>;

export const products: Projection<ProductDocument> = {
  name: 'products',
  version: 2,
  id: idIn('productId'),
  indexes: [[...OWNER, 'created_at']],
  totals: [OWNER],
  on: {
    ProductCreated: (_, event: Event<'ProductCreated'>) => created(event),
    ProductEdited: (product, { data: { changes, status, revision, at } }: Event<'ProductEdited'>) =>
      product && { ...product, ...fields(changes), status, revision, updated_at: at },
    ProductReviewRequested: (product, { data }: Event<'ProductReviewRequested'>) =>
      product && { ...product, approval_status: 'review', updated_at: data.at },
    ProductApproved: (product, { data: { status, revision, at } }: Event<'ProductApproved'>) =>
      product && { ...product, approval_status: 'approved', approval_note: null, status, ...reviewed(revision, at) },
    ProductDenied: (product, { data: { approvalStatus, reason, status, revision, at } }: Event<'ProductDenied'>) =>
      product && { ...product, approval_status: approvalStatus, approval_note: reason, status, ...reviewed(revision, at) },
    PlanArchived: (product, { data: { planId, at } }: Event<'PlanArchived'>) =>
      product && {
        ...product,
        plans: product.plans.map((plan) => (plan.id === planId ? { ...plan, status: 'archived' } : plan)),
        updated_at: at,
      },
  } satisfies Changes<ProductDocument, ProductEvent>,
};

function created(event: Event<'ProductCreated'>): ProductDocument {
  const { productId, name, description, plans, metadata, externalReference, at } = event.data;
  return {
    ...resource('product', productId, event),
    name,
    description,
    status: 'active',
    approval_status: 'review',
    approval_note: null,
    reviewed_at: null,
    revision: 1,
    reviewed_revision: null,
    plans: plans.map(planDocument),
    images: [],
    attachments: [],
    metadata,
    external_reference: externalReference,
    updated_at: at,
  };
}

function planDocument(plan: Plan): PlanDocument {
  const { planId, kind, name, amountCents, currency, interval, intervalCount, installmentsCount, status } = plan;
  return {
    id: planId,
    object: 'payment_plan',
    kind,
    name,
    amount_cents: amountCents,
    currency,
    interval,
    interval_count: intervalCount,
    installments_count: installmentsCount,
    status,
  };
}

function fields({ externalReference, ...changes }: Partial<ProductContent>): Partial<ProductDocument> {
  return externalReference === undefined ? changes : { ...changes, external_reference: externalReference };
}

function reviewed(revision: number, at: string): Pick<ProductDocument, 'reviewed_at' | 'reviewed_revision' | 'updated_at'> {
  return { reviewed_at: at, reviewed_revision: revision, updated_at: at };
}
