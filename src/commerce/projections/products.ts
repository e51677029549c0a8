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
  string,
  uri,
  type ValueOf,
} from '../../kernel/schema.js';
import type { Plan } from '../domain/payment-plan.js';
import {
  APPROVAL_STATUSES,
  type FileUpload,
  PRODUCT_STATUSES,
  type ProductAttachment,
  type ProductContent,
  type ProductEvent,
  type ProductImage,
} from '../domain/product-events.js';
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

const imageSchema = object({ id: id('img'), url: uri, alt: nullable(string) });
const attachmentSchema = object({ id: id('att'), url: uri, name: nullable(string) });

export const publicProductFields = {
  ...resourceFields('product', 'prod'),
  name: string,
  description: nullable(string),
  plans: list(planSchema),
  images: list(imageSchema),
};

export const productSchema = resource('Product', {
  ...publicProductFields,
  status: enumOf(...PRODUCT_STATUSES),
  approval_status: enumOf(...APPROVAL_STATUSES),
  approval_note: nullable(string),
  reviewed_at: nullable(dateTime),
  revision: integer,
  reviewed_revision: nullable(integer),
  attachments: list(attachmentSchema),
  metadata: freeForm,
  external_reference: nullable(string),
  updated_at: dateTime,
});

export type PlanDocument = ValueOf<typeof planSchema>;

/** `_inReview`: the product is in the queue of the reviewers. */
export interface ProductDocument extends DocumentOf<typeof productSchema>, Owned {
  readonly _inReview: boolean;
}

type Event<T extends ProductEvent['type']> = EventOf<ProductEvent, T>;

/** The queue spans all businesses and modes. */
const QUEUE = ['_inReview'] as const;
const lists = declareLists([[], ['status'], ['approval_status'], ['status', 'approval_status']]);

export const products: Projection<ProductDocument, ProductEvent> = {
  name: 'products',
  version: 6,
  id: pickId('productId'),
  indexes: [...lists.indexes, [...QUEUE, 'created_at']],
  totals: [...lists.totals, QUEUE],
  hourly: [...lists.hourly, { group: QUEUE, times: ['created_at'] }],
  on: {
    ProductCreated: (_, event) => toProductDocument(event),
    ProductEdited: (product, { data: { changes, status, revision, at } }) =>
      product && change(product, { ...toChangedFields(changes), status, revision, updated_at: at }),
    ProductReviewRequested: (product, { data }) =>
      product && change(product, { approval_status: 'review', updated_at: data.at }),
    ProductApproved: (product, { data: { status, revision, at } }) =>
      product &&
      change(product, { approval_status: 'approved', approval_note: null, status, ...toReviewFields(revision, at) }),
    ProductDenied: (product, { data: { approvalStatus, reason, status, revision, at } }) =>
      product &&
      change(product, {
        approval_status: approvalStatus,
        approval_note: reason,
        status,
        ...toReviewFields(revision, at),
      }),
    ProductImageAdded: (product, { data: { image, ...upload } }) =>
      product && change(product, { images: [...product.images, toImageDocument(image)], ...toUploadFields(upload) }),
    ProductAttachmentAdded: (product, { data: { attachment, ...upload } }) =>
      product &&
      change(product, {
        attachments: [...product.attachments, toAttachmentDocument(attachment)],
        ...toUploadFields(upload),
      }),
    ProductImageRemoved: (product, { data: { imageId, at } }) =>
      product && change(product, { images: product.images.filter(({ id }) => id !== imageId), updated_at: at }),
    ProductAttachmentRemoved: (product, { data: { attachmentId, at } }) =>
      product &&
      change(product, {
        attachments: product.attachments.filter(({ id }) => id !== attachmentId),
        updated_at: at,
      }),
    PlanAdded: (product, { data: { plan, at } }) =>
      product && change(product, { plans: [...product.plans, toPlanDocument(plan)], updated_at: at }),
    PlanArchived: (product, { data: { planId, at } }) =>
      product && change(product, { plans: archivePlan(product.plans, planId), updated_at: at }),
  },
};

function change(product: ProductDocument, changes: Partial<ProductDocument>): ProductDocument {
  const changed = { ...product, ...changes };
  const { approval_status: approval, revision, reviewed_revision: reviewed } = changed;
  const isChanged = approval === 'approved' && reviewed !== null && revision > reviewed;
  return { ...changed, _inReview: approval === 'review' || isChanged };
}

function archivePlan(plans: readonly PlanDocument[], planId: string): readonly PlanDocument[] {
  return plans.map((plan) => (plan.id === planId ? { ...plan, status: 'archived' } : plan));
}

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
    _inReview: true,
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

function toImageDocument({ imageId, url, alt }: ProductImage) {
  return { id: imageId, url, alt };
}

function toAttachmentDocument({ attachmentId, url, name }: ProductAttachment) {
  return { id: attachmentId, url, name };
}

function toUploadFields({ status, revision, at }: FileUpload) {
  return { status, revision, updated_at: at };
}
