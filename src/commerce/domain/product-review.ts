import { Rejection } from '../../kernel/rejection.js';
import type { ApprovalStatus, ProductEvent, ProductStatus } from './product-events.js';

export type Review = { readonly type: 'ApproveProduct' } | { readonly type: 'DenyProduct'; readonly reason: string };

/** The facts of a product on which its review depends. */
interface ReviewedProduct {
  readonly id: string;
  readonly status: ProductStatus;
  readonly approval: ApprovalStatus;
  readonly approvedBefore: boolean;
  readonly sellerStatus: ProductStatus;
  readonly revision: number;
  readonly reviewedRevision: number | null;
}

/** An edit or a file returns a denied product to review. */
export function requestReview({ id, approval }: ReviewedProduct, at: string): readonly ProductEvent[] {
  return approval === 'approved' || approval === 'review'
    ? []
    : [{ type: 'ProductReviewRequested', data: { productId: id, at } }];
}

/** @throws Rejection product_not_in_review */
export function review(command: Review, product: ReviewedProduct, at: string): readonly ProductEvent[] {
  return command.type === 'ApproveProduct' ? approve(product, at) : deny(command.reason, product, at);
}

function approve(
  { id, approval, revision, reviewedRevision, sellerStatus }: ReviewedProduct,
  at: string,
): readonly ProductEvent[] {
  if (approval !== 'review' && approval !== 'approved') throw createNotInReviewRejection();
  if (approval === 'approved' && revision === reviewedRevision) return [];
  return [{ type: 'ProductApproved', data: { productId: id, revision, status: sellerStatus, at } }];
}

function deny(reason: string, product: ReviewedProduct, at: string): readonly ProductEvent[] {
  const { id: productId, approval, approvedBefore, revision, reviewedRevision } = product;
  const changed = approval === 'approved' && reviewedRevision !== null && revision > reviewedRevision;
  if (approval !== 'review' && !changed) throw createNotInReviewRejection();
  const approvalStatus = approvedBefore ? 'denied_changed' : 'denied';
  const status = approvedBefore ? 'inactive' : product.status;
  return [{ type: 'ProductDenied', data: { productId, approvalStatus, reason, revision, status, at } }];
}

function createNotInReviewRejection(): Rejection {
  return new Rejection('product_not_in_review', 'The product is not waiting for a review.');
}
