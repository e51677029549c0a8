import { createJsonBaseline, type DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { Mode } from '../../kernel/event.js';
import type { OwnedDecider } from '../../kernel/ownership.js';
import { Rejection, requireFound } from '../../kernel/rejection.js';
import {
  assertValidPlan,
  assertValidPlans,
  createPlan,
  MAX_PLANS,
  MAX_PLANS_IN_ALL,
  type Plan,
  type PlanTerms,
} from './payment-plan.js';
import {
  type ApprovalStatus,
  type FileUpload,
  type ProductChange,
  type ProductContent,
  type ProductEvent,
  type ProductStatus,
} from './product-events.js';
import { type AddFile, addFile, type RemoveFile, removeFile } from './product-files.js';
import { requestReview, type Review, review } from './product-review.js';

export interface KnownProduct {
  readonly status: ProductStatus;
  readonly id: string;
  readonly business: string;
  readonly mode: Mode;
  readonly content: ProductContent;
  readonly plans: readonly Plan[];
  readonly approval: ApprovalStatus;
  readonly approvedBefore: boolean;
  readonly sellerStatus: ProductStatus;
  readonly revision: number;
  readonly reviewedRevision: number | null;
  readonly imageIds: readonly string[];
  readonly attachmentIds: readonly string[];
}

export type Product = { readonly status: 'unknown' } | KnownProduct;

function evolve(product: Product, event: ProductEvent): Product {
  if (event.type === 'ProductCreated') return applyCreated(event.data);
  if (product.status === 'unknown') return product;

  switch (event.type) {
    case 'ProductEdited': {
      const { changes, sellerStatus, status, revision } = event.data;
      return { ...product, content: { ...product.content, ...changes }, sellerStatus, status, revision };
    }
    case 'ProductReviewRequested':
      return { ...product, approval: 'review' };
    case 'ProductApproved': {
      const { status, revision } = event.data;
      return { ...product, approval: 'approved', approvedBefore: true, status, reviewedRevision: revision };
    }
    case 'ProductDenied': {
      const { approvalStatus, status, revision } = event.data;
      return { ...product, approval: approvalStatus, status, reviewedRevision: revision };
    }
    case 'ProductImageAdded':
      return { ...product, ...pickUpload(event.data), imageIds: [...product.imageIds, event.data.image.imageId] };
    case 'ProductAttachmentAdded': {
      const { attachmentId } = event.data.attachment;
      return { ...product, ...pickUpload(event.data), attachmentIds: [...product.attachmentIds, attachmentId] };
    }
    case 'ProductImageRemoved':
      return { ...product, imageIds: without(product.imageIds, event.data.imageId) };
    case 'ProductAttachmentRemoved':
      return { ...product, attachmentIds: without(product.attachmentIds, event.data.attachmentId) };
    case 'PlanAdded':
      return { ...product, plans: [...product.plans, event.data.plan] };
    case 'PlanArchived':
      return { ...product, plans: archivePlanIn(product.plans, event.data.planId) };
  }
}

function pickUpload({ status, revision }: FileUpload): Pick<KnownProduct, 'status' | 'revision'> {
  return { status, revision };
}

function without(ids: readonly string[], removed: string): readonly string[] {
  return ids.filter((id) => id !== removed);
}

function archivePlanIn(plans: readonly Plan[], planId: string): readonly Plan[] {
  return plans.map((plan) => (plan.planId === planId ? { ...plan, status: 'archived' } : plan));
}

function applyCreated(data: Extract<ProductEvent, { type: 'ProductCreated' }>['data']): KnownProduct {
  const { productId, businessId, mode, plans, name, description, metadata, externalReference } = data;
  return {
    status: 'active',
    id: productId,
    business: businessId,
    mode,
    content: { name, description, metadata, externalReference },
    plans,
    approval: 'review',
    approvedBefore: false,
    sellerStatus: 'active',
    revision: 1,
    reviewedRevision: null,
    imageIds: [],
    attachmentIds: [],
  };
}

export type ProductCommand =
  | (ProductContent & {
      readonly type: 'CreateProduct';
      readonly productId: string;
      readonly businessId: string;
      readonly mode: Mode;
      readonly plans: readonly PlanTerms[];
    })
  | { readonly type: 'EditProduct'; readonly content: Partial<ProductContent>; readonly status: ProductStatus | null }
  | AddFile
  | RemoveFile
  | Review
  | { readonly type: 'AddPlan'; readonly terms: PlanTerms }
  | { readonly type: 'ArchivePlan'; readonly planId: string };

type Create = Extract<ProductCommand, { type: 'CreateProduct' }>;
type Edit = Extract<ProductCommand, { type: 'EditProduct' }>;

function decide(command: ProductCommand, product: Product, x: DecisionContext): readonly ProductEvent[] {
  if (command.type === 'CreateProduct') return product.status === 'unknown' ? create(command, x) : [];
  if (product.status === 'unknown') throw Rejection.notFound();

  switch (command.type) {
    case 'EditProduct':
      return edit(command, product, x.now);
    case 'AddImage':
    case 'AddAttachment':
      return addFileAndReview(command, product, x);
    case 'RemoveImage':
    case 'RemoveAttachment':
      return [removeFile(command, product, x.now)];
    case 'ApproveProduct':
    case 'DenyProduct':
      return review(command, product, x.now);
    case 'AddPlan':
      return addPlan(command.terms, product, x);
    case 'ArchivePlan':
      return archive(command.planId, product, x.now);
  }
}

function create({ type: _, plans, ...content }: Create, x: DecisionContext): readonly ProductEvent[] {
  assertValidPlans(plans);
  const identifiedPlans = plans.map((terms) => createPlan(x.createId('plan'), terms));
  return [
    { type: 'ProductCreated', data: { ...content, plans: identifiedPlans, at: x.now } },
    { type: 'ProductReviewRequested', data: { productId: content.productId, at: x.now } },
  ];
}

/** An approved product changes at once and stays approved. Any other product becomes inactive and goes to review. */
function edit({ content, status: requestedStatus }: Edit, product: KnownProduct, at: string): readonly ProductEvent[] {
  const changes = diff(content, product.content);
  const sellerStatus = requestedStatus ?? product.sellerStatus;
  const status = findStatus(product, sellerStatus);
  const revised = sellerStatus !== product.sellerStatus || Object.keys(changes).some((field) => field !== 'metadata');
  const edited = revised || status !== product.status || Object.keys(changes).length > 0;

  const change: ProductChange = {
    productId: product.id,
    changes,
    sellerStatus,
    status,
    revision: product.revision + (revised ? 1 : 0),
    at,
  };
  return [...(edited ? [{ type: 'ProductEdited', data: change } as const] : []), ...requestReview(product, at)];
}

function findStatus({ approval }: KnownProduct, sellerStatus: ProductStatus): ProductStatus {
  return approval === 'approved' ? sellerStatus : 'inactive';
}

/** A new file has the same effect on the approval as an edit. */
function addFileAndReview(command: AddFile, product: KnownProduct, x: DecisionContext): readonly ProductEvent[] {
  const status = findStatus(product, product.sellerStatus);
  return [addFile(command, product, status, x), ...requestReview(product, x.now)];
}

function addPlan(terms: PlanTerms, { id: productId, plans }: KnownProduct, x: DecisionContext): ProductEvent[] {
  assertValidPlan(terms);
  const active = plans.filter(({ status }) => status === 'active');
  const detail = `A product has at most ${MAX_PLANS} active plans, and ${MAX_PLANS_IN_ALL} with the archived ones.`;
  if (active.length >= MAX_PLANS || plans.length >= MAX_PLANS_IN_ALL)
    throw Rejection.ofField('kind', 'too_many_plans', detail);
  return [{ type: 'PlanAdded', data: { productId, plan: createPlan(x.createId('plan'), terms), at: x.now } }];
}

/** Stops the sale of the plan. Subscriptions that use the plan continue. */
function archive(planId: string, { id: productId, plans }: KnownProduct, at: string): readonly ProductEvent[] {
  const plan = requireFound(plans.find((candidate) => candidate.planId === planId));
  return plan.status === 'archived' ? [] : [{ type: 'PlanArchived', data: { productId, planId, at } }];
}

export const productDecider: OwnedDecider<Product, ProductCommand, ProductEvent, KnownProduct> = {
  category: 'product',
  clock: 'business',
  baseline: createJsonBaseline(3),
  versions: {
    ProductCreated: 1,
    ProductEdited: 1,
    ProductReviewRequested: 1,
    ProductApproved: 1,
    ProductDenied: 1,
    ProductImageAdded: 1,
    ProductAttachmentAdded: 1,
    ProductImageRemoved: 1,
    ProductAttachmentRemoved: 1,
    PlanAdded: 1,
    PlanArchived: 1,
  },
  initial: { status: 'unknown' },
  isKnown: (found) => found.status !== 'unknown',
  ownerOf: (found) => found,
  evolve,
  decide,
};
