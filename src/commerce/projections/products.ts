import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import {
  currency,
  dateTime,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  integer,
  list,
  nullable,
  object,
  resource,
  type Schema,
  string,
  type ValueOf,
} from '../../kernel/schema.js';
import type { Plan } from '../domain/payment-plan.js';
import { APPROVAL_STATUSES, PRODUCT_STATUSES, type ProductContent, type ProductEvent } from '../domain/product.js';
import { centsSchema, resourceFields, toResourceValues } from './resources.js';

const planSchema = object({
  object: enumOf('payment_plan'),
  id: id('plan'),
  kind: enumOf('one_time', 'subscription', 'installment'),
  name: nullable(string),
  amount_cents: centsSchema,
  currency,
  interval: nullable(enumOf('day', 'week', 'month', 'year')),
  interval_count: integer,
  installments_count: nullable(integer),
  status: enumOf('active', 'archived'),
});

const filesSchema: Schema<readonly object[]> = {
  schema: { type: 'array', items: { type: 'object', additionalProperties: true } },
};

export const publicProductFields = {
  ...resourceFields('product', 'prod'),
  name: string,
  description: nullable(string),
  plans: list(planSchema),
  images: filesSchema,
};

export const productSchema = resource('Product', {
  ...publicProductFields,
  status: enumOf(...PRODUCT_STATUSES),
  approval_status: enumOf(...APPROVAL_STATUSES),
  approval_note: nullable(string),
  reviewed_at: nullable(dateTime),
  revision: integer,
  reviewed_revision: nullable(integer),
  attachments: filesSchema,
  metadata: freeForm,
  external_reference: nullable(string),
  updated_at: dateTime,
});

export type PlanDocument = ValueOf<typeof planSchema>;

export interface ProductDocument extends DocumentOf<typeof productSchema>, Owned {}

type Event<T extends ProductEvent['type']> = EventOf<ProductEvent, T>;

export const products: Projection<ProductDocument, ProductEvent> = {
  name: 'products',
  version: 4,
  id: pickId('productId'),
  ...declareLists([[], ['status'], ['approval_status'], ['status', 'approval_status']]),
  on: {
    ProductCreated: (_, event) => toProductDocument(event),
    ProductEdited: (product, { data: { changes, status, revision, at } }) =>
      product && { ...product, ...toChangedFields(changes), status, revision, updated_at: at },
    ProductReviewRequested: (product, { data }) =>
      product && { ...product, approval_status: 'review', updated_at: data.at },
    ProductApproved: (product, { data: { status, revision, at } }) =>
      product && {
        ...product,
        approval_status: 'approved',
        approval_note: null,
        status,
        ...toReviewFields(revision, at),
      },
    ProductDenied: (product, { data: { approvalStatus, reason, status, revision, at } }) =>
      product && {
        ...product,
        approval_status: approvalStatus,
        approval_note: reason,
        status,
        ...toReviewFields(revision, at),
      },
    PlanAdded: (product, { data: { plan, at } }) =>
      product && { ...product, plans: [...product.plans, toPlanDocument(plan)], updated_at: at },
    PlanArchived: (product, { data: { planId, at } }) =>
      product && {
        ...product,
        plans: product.plans.map((plan) => (plan.id === planId ? { ...plan, status: 'archived' } : plan)),
        updated_at: at,
      },
  },
};

function toProductDocument(event: Event<'ProductCreated'>): ProductDocument {
  const { productId, name, description, plans, metadata, externalReference, at } = event.data;
  return {
    ...toResourceValues('product', productId, event),
    name,
    description,
    status: 'active',
    approval_status: 'review',
    approval_note: null,
    reviewed_at: null,
    revision: 1,
    reviewed_revision: null,
    plans: plans.map(toPlanDocument),
    images: [],
    attachments: [],
    metadata,
    external_reference: externalReference,
    updated_at: at,
  };
}

function toPlanDocument(plan: Plan): PlanDocument {
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

function toChangedFields({ externalReference, ...changes }: Partial<ProductContent>): Partial<ProductDocument> {
  return externalReference === undefined ? changes : { ...changes, external_reference: externalReference };
}

function toReviewFields(
  revision: number,
  at: string,
): Pick<ProductDocument, 'reviewed_at' | 'reviewed_revision' | 'updated_at'> {
  return { reviewed_at: at, reviewed_revision: revision, updated_at: at };
}
