import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  integer,
  KIND,
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
  object: describe(enumOf('payment_plan'), KIND),
  id: describe(id('plan'), 'The id of the plan.'),
  kind: describe(
    enumOf('one_time', 'subscription', 'installment'),
    'Whether the plan is charged once (`one_time`), at each interval until it ends (`subscription`), or in a fixed number of parts (`installment`).',
  ),
  name: describe(nullable(string), 'The name by which buyers distinguish the plan, or null.', 'Monthly'),
  amount_cents: describe(
    centsSchema,
    'The price of one charge in cents: the whole price, that of one period, or that of one part.',
  ),
  currency,
  interval: describe(
    nullable(enumOf('day', 'week', 'month', 'year')),
    'The unit of the time between two charges; null for a plan that is charged once.',
  ),
  interval_count: describe(integer, 'The number of intervals between two charges; 1 for a plan that is charged once.'),
  installments_count: describe(
    nullable(integer),
    'The number of parts, with the one at checkout; null for a plan of another kind.',
  ),
  status: describe(
    enumOf('active', 'archived'),
    'Whether the plan can be bought (`active`), or only continues where it was bought before (`archived`).',
  ),
});

const imageSchema = object({
  id: describe(id('img'), 'The id of the image.'),
  url: describe(uri, 'The address of the image; the service stores no file.', 'https://example.com/juniper.png'),
  alt: describe(nullable(string), 'The text that describes the image, or null.', 'A sprig of juniper'),
});
const attachmentSchema = object({
  id: describe(id('att'), 'The id of the attachment.'),
  url: describe(uri, 'The address of the file; the service stores no file.', 'https://example.com/juniper.pdf'),
  name: describe(nullable(string), 'The name of the file that readers see, or null.', 'Handbook'),
});

export const publicProductFields = {
  ...resourceFields('product', 'prod'),
  name: describe(string, 'The name of the product.'),
  description: describe(nullable(string), 'The text about the product, or null.', 'A course in twelve lessons.'),
  plans: describe(
    list(planSchema),
    'The plans by which the product is sold, in the order in which they were added; a buyer sees only the active ones.',
  ),
  images: describe(list(imageSchema), 'The images of the product, in the order in which they were added.'),
};

export const productSchema = resource('Product', {
  ...publicProductFields,
  status: describe(
    enumOf(...PRODUCT_STATUSES),
    'Whether the product is on sale once it is approved (`active`) or not (`inactive`). The seller sets it; the service makes it inactive when the product changes before its approval, or is denied after one.',
  ),
  approval_status: describe(
    enumOf(...APPROVAL_STATUSES),
    'Whether the product waits for a review (`review`), was denied (`denied`), was denied after an earlier approval (`denied_changed`), or can be sold (`approved`).',
  ),
  approval_note: describe(
    nullable(string),
    'The reason of the last denial; null before one, and after an approval.',
    null,
  ),
  reviewed_at: describe(nullable(dateTime), 'The time of the last approval or denial, or null before that.'),
  revision: describe(
    integer,
    'The number of the version of the product; each new file and each edit of more than the metadata raises it.',
  ),
  reviewed_revision: describe(nullable(integer), 'The revision that was last approved or denied, or null before that.'),
  attachments: describe(
    list(attachmentSchema),
    'The files of the product, in the order in which they were added; a buyer does not see them.',
  ),
  metadata: describe(freeForm, 'The values that the seller stored with the product.'),
  external_reference: describe(nullable(string), 'The id of the product in another system, or null.', 'course-12'),
  updated_at: describe(dateTime, 'The time at which the product last changed.'),
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
