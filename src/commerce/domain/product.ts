import { createJsonBaseline, type DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { Fact, Mode } from '../../kernel/event.js';
import type { OwnedDecider } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import { assertValidPlan, assertValidPlans, createPlan, MAX_PLANS, type Plan, type PlanTerms } from './payment-plan.js';

export const PRODUCT_STATUSES = ['active', 'inactive'] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

export const APPROVAL_STATUSES = ['review', 'denied', 'denied_changed', 'approved'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** The fields that the seller may set. */
export interface ProductContent {
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly externalReference: string | null;
}

/** The seller chooses `sellerStatus`; buyers see `status`, which a review may set to inactive. */
export type ProductEvent =
  | Fact<
      'ProductCreated',
      ProductContent & { productId: string; businessId: string; mode: Mode; plans: readonly Plan[]; at: string }
    >
  | Fact<'ProductEdited', ProductChange>
  | Fact<'ProductReviewRequested', { productId: string; at: string }>
  | Fact<'ProductApproved', { productId: string; revision: number; status: ProductStatus; at: string }>
  | Fact<'ProductDenied', Denial>
  | Fact<'PlanAdded', { productId: string; plan: Plan; at: string }>
  | Fact<'PlanArchived', { productId: string; planId: string; at: string }>;

interface ProductChange {
  readonly productId: string;
  readonly changes: Partial<ProductContent>;
  readonly sellerStatus: ProductStatus;
  readonly status: ProductStatus;
  readonly revision: number;
  readonly at: string;
}

interface Denial {
  readonly productId: string;
  readonly approvalStatus: 'denied' | 'denied_changed';
  readonly reason: string;
  readonly revision: number;
  readonly status: ProductStatus;
  readonly at: string;
}

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
    case 'PlanAdded':
      return { ...product, plans: [...product.plans, event.data.plan] };
    case 'PlanArchived':
      return { ...product, plans: archivePlanIn(product.plans, event.data.planId) };
  }
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
  | Review
  | { readonly type: 'AddPlan'; readonly terms: PlanTerms }
  | { readonly type: 'ArchivePlan'; readonly planId: string };

/** The decision of a reviewer. */
export type Review = { readonly type: 'ApproveProduct' } | { readonly type: 'DenyProduct'; readonly reason: string };

type Create = Extract<ProductCommand, { type: 'CreateProduct' }>;
type Edit = Extract<ProductCommand, { type: 'EditProduct' }>;

function decide(command: ProductCommand, product: Product, x: DecisionContext): readonly ProductEvent[] {
  if (command.type === 'CreateProduct') return product.status === 'unknown' ? create(command, x) : [];
  if (product.status === 'unknown') throw Rejection.notFound();

  switch (command.type) {
    case 'EditProduct':
      return edit(command, product, x.now);
    case 'ApproveProduct':
      return approve(product, x.now);
    case 'DenyProduct':
      return deny(command.reason, product, x.now);
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
  const status = product.approval === 'approved' ? sellerStatus : 'inactive';
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

function requestReview({ id, approval }: KnownProduct, at: string): readonly ProductEvent[] {
  return approval === 'approved' || approval === 'review'
    ? []
    : [{ type: 'ProductReviewRequested', data: { productId: id, at } }];
}

function approve(
  { id, approval, revision, reviewedRevision, sellerStatus }: KnownProduct,
  at: string,
): readonly ProductEvent[] {
  if (approval !== 'review' && approval !== 'approved') throw createNotInReviewRejection();
  if (approval === 'approved' && revision === reviewedRevision) return [];
  return [{ type: 'ProductApproved', data: { productId: id, revision, status: sellerStatus, at } }];
}

function deny(reason: string, product: KnownProduct, at: string): readonly ProductEvent[] {
  const { id: productId, approval, approvedBefore, revision, reviewedRevision } = product;
  const changed = approval === 'approved' && reviewedRevision !== null && revision > reviewedRevision;
  if (approval !== 'review' && !changed) throw createNotInReviewRejection();
  const approvalStatus = approvedBefore ? 'denied_changed' : 'denied';
  const status = approvedBefore ? 'inactive' : product.status;
  return [{ type: 'ProductDenied', data: { productId, approvalStatus, reason, revision, status, at } }];
}

function addPlan(terms: PlanTerms, { id: productId, plans }: KnownProduct, x: DecisionContext): ProductEvent[] {
  assertValidPlan(terms);
  const detail = `A product has at most ${MAX_PLANS} plans, archived ones included.`;
  if (plans.length >= MAX_PLANS) throw Rejection.ofField('kind', 'too_many_plans', detail);
  return [{ type: 'PlanAdded', data: { productId, plan: createPlan(x.createId('plan'), terms), at: x.now } }];
}

/** Stops the sale of the plan. Subscriptions that use the plan continue. */
function archive(planId: string, { id: productId, plans }: KnownProduct, at: string): readonly ProductEvent[] {
  const plan = plans.find((candidate) => candidate.planId === planId);
  if (plan === undefined) throw Rejection.notFound();
  return plan.status === 'archived' ? [] : [{ type: 'PlanArchived', data: { productId, planId, at } }];
}

function createNotInReviewRejection(): Rejection {
  return new Rejection('product_not_in_review', 'The product is not waiting for a review.');
}

export const productDecider: OwnedDecider<Product, ProductCommand, ProductEvent, KnownProduct> = {
  category: 'product',
  clock: 'business',
  baseline: createJsonBaseline(1),
  versions: {
    ProductCreated: 1,
    ProductEdited: 1,
    ProductReviewRequested: 1,
    ProductApproved: 1,
    ProductDenied: 1,
    PlanAdded: 1,
    PlanArchived: 1,
  },
  initial: { status: 'unknown' },
  isKnown: (found) => found.status !== 'unknown',
  ownerOf: (found) => found,
  evolve,
  decide,
};
