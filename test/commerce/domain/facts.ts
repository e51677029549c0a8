import type { CartLine } from '../../../src/commerce/domain/cart-line.js';
import type { CartEvent } from '../../../src/commerce/domain/cart-state.js';
import type { Plan, PlanTerms } from '../../../src/commerce/domain/payment-plan.js';
import type { KnownProduct } from '../../../src/commerce/domain/product.js';
import type { ProductEvent } from '../../../src/commerce/domain/product-events.js';

export const NOW = '2026-02-01T09:00:00.000Z';
export const EARLIER = '2026-01-31T09:00:00.000Z';
export const IN_7_DAYS = '2026-02-08T09:00:00.000Z';

export const once: PlanTerms = {
  kind: 'one_time',
  name: null,
  amountCents: 2500,
  currency: 'EUR',
  interval: null,
  intervalCount: 1,
  installmentsCount: null,
};
export const monthly: PlanTerms = { ...once, kind: 'subscription', amountCents: 4900, interval: 'month' };
export const plan: Plan = { planId: 'plan_1', ...once, status: 'active' };
export const clubPlan: Plan = { planId: 'plan_2', ...monthly, status: 'active' };

export const course: KnownProduct = {
  status: 'active',
  id: 'prod_1',
  business: 'biz_1',
  mode: 'live',
  content: { name: 'A course', description: null, metadata: {}, externalReference: null },
  plans: [plan],
  approval: 'approved',
  approvedBefore: true,
  sellerStatus: 'active',
  revision: 1,
  reviewedRevision: 1,
  imageIds: [],
  attachmentIds: [],
};

export const productCreated: Extract<ProductEvent, { type: 'ProductCreated' }> = {
  type: 'ProductCreated',
  data: {
    productId: 'prod_1',
    businessId: 'biz_1',
    mode: 'live',
    name: 'A course',
    description: null,
    metadata: {},
    externalReference: null,
    plans: [plan],
    at: EARLIER,
  },
};
export const reviewRequested: ProductEvent = {
  type: 'ProductReviewRequested',
  data: { productId: 'prod_1', at: EARLIER },
};

export const ada = { id: 'buy_1', email: { box: 'box', hash: 'ada' }, name: null };

export const cartCreated: CartEvent = {
  type: 'CartCreated',
  data: {
    cartId: 'cart_1',
    businessId: 'biz_1',
    mode: 'live',
    userId: null,
    tokenHash: 'hash',
    currency: null,
    buyer: ada,
    metadata: { campaign: 'spring' },
    externalReference: null,
    redirectUrl: null,
    at: EARLIER,
    expiresAt: '2026-02-07T09:00:00.000Z',
  },
};

export const line: CartLine = {
  lineId: 'cl_1',
  productId: 'prod_1',
  planId: 'plan_1',
  name: 'A course',
  terms: once,
  quantity: 1,
  unitAmountCents: 2500,
  amountCents: 2500,
};
export const lineAdded: CartEvent = {
  type: 'LineAdded',
  data: { cartId: 'cart_1', line, at: EARLIER, expiresAt: '2026-02-07T09:00:00.000Z' },
};
