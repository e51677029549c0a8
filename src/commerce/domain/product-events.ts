import type { Fact, Mode } from '../../kernel/event.js';
import type { Plan } from './payment-plan.js';

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
  | Fact<'ProductImageAdded', FileUpload & { image: ProductImage }>
  | Fact<'ProductAttachmentAdded', FileUpload & { attachment: ProductAttachment }>
  | Fact<'ProductImageRemoved', { productId: string; imageId: string; at: string }>
  | Fact<'ProductAttachmentRemoved', { productId: string; attachmentId: string; at: string }>
  | Fact<'PlanAdded', { productId: string; plan: Plan; at: string }>
  | Fact<'PlanArchived', { productId: string; planId: string; at: string }>;

export interface ProductImage {
  readonly imageId: string;
  readonly url: string;
  readonly alt: string | null;
}

export interface ProductAttachment {
  readonly attachmentId: string;
  readonly url: string;
  readonly name: string | null;
}

export interface ProductChange {
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

/** The product after a new image or attachment. */
export interface FileUpload {
  readonly productId: string;
  readonly status: ProductStatus;
  readonly revision: number;
  readonly at: string;
}
