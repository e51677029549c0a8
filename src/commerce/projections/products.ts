import { idIn, type EventOf, type Projection } from '../../kernel/projection.js';
import type { Plan } from '../domain/payment-plan.js';
import type { ProductContent, ProductEvent } from '../domain/product.js';
import { OWNER, type Owned } from '../../kernel/ownership.js';
import {
  currency,
  type DocumentOf,
  free,
  id,
  list,
  nullable,
  object,
  one,
  resource,
  text,
  time,
  type ValueOf,
  whole,
  type Shape,
} from '../../kernel/schema.js';
import { begin, begun, cents } from './resources.js';

const planSchema = object({
  object: one('payment_plan'),
  id: id('plan'),
  kind: one('one_time', 'subscription', 'installment'),
  name: nullable(text),
  amount_cents: cents,
  currency,
  interval: nullable(one('day', 'week', 'month', 'year')),
  interval_count: whole,
  installments_count: nullable(whole),
  status: one('active', 'archived'),
});

const files: Shape<readonly object[]> = { schema: { type: 'array', items: { type: 'object', additionalProperties: true } } };

export const publicProductFields = {
  ...begun('product', 'prod'),
  name: text,
  description: nullable(text),
  plans: list(planSchema),
  images: files,
};

export const productSchema = resource('Product', {
  ...publicProductFields,
  status: one('active', 'inactive'),
  approval_status: one('review', 'denied', 'denied_changed', 'approved'),
  approval_note: nullable(text),
  reviewed_at: nullable(time),
  revision: whole,
  reviewed_revision: nullable(whole),
  attachments: files,
  metadata: free,
  external_reference: nullable(text),
  updated_at: time,
});

export type PlanDocument = ValueOf<typeof planSchema>;

export interface ProductDocument extends DocumentOf<typeof productSchema>, Owned {}

type Event<T extends ProductEvent['type']> = EventOf<ProductEvent, T>;

export const products: Projection<ProductDocument, ProductEvent> = {
  name: 'products',
  version: 2,
  id: idIn('productId'),
  indexes: [[...OWNER, 'created_at']],
  totals: [OWNER],
  on: {
    ProductCreated: (_, event) => created(event),
    ProductEdited: (product, { data: { changes, status, revision, at } }) =>
      product && { ...product, ...fields(changes), status, revision, updated_at: at },
    ProductReviewRequested: (product, { data }) => product && { ...product, approval_status: 'review', updated_at: data.at },
    ProductApproved: (product, { data: { status, revision, at } }) =>
      product && { ...product, approval_status: 'approved', approval_note: null, status, ...reviewed(revision, at) },
    ProductDenied: (product, { data: { approvalStatus, reason, status, revision, at } }) =>
      product && { ...product, approval_status: approvalStatus, approval_note: reason, status, ...reviewed(revision, at) },
    PlanArchived: (product, { data: { planId, at } }) =>
      product && {
        ...product,
        plans: product.plans.map((plan) => (plan.id === planId ? { ...plan, status: 'archived' } : plan)),
        updated_at: at,
      },
  },
};

function created(event: Event<'ProductCreated'>): ProductDocument {
  const { productId, name, description, plans, metadata, externalReference, at } = event.data;
  return {
    ...begin('product', productId, event),
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
