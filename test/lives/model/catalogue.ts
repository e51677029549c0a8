import type { Model } from './model.js';
import { CREATED, OK, type Outcome, refuse } from './model.js';
import { type Fields, nameOf, SOME_TEXT } from './template.js';
import type { Interval } from './times.js';

export interface Plan {
  readonly key: string;
  readonly kind: 'one_time' | 'subscription' | 'installment';
  readonly name: string;
  readonly amount: number;
  readonly currency: string;
  readonly interval: Interval | null;
  readonly count: number;
  /** The number of parts of an installment plan. */
  readonly parts: number | null;
  isActive: boolean;
}

export interface Product {
  readonly key: string;
  readonly createdAt: string;
  name: string;
  readonly plans: Plan[];
  status: 'active' | 'inactive';
  /** The seller's own choice, which a review does not change. */
  wanted: 'active' | 'inactive';
  approval: 'review' | 'denied' | 'denied_changed' | 'approved';
  wasApproved: boolean;
  note: string | null;
  reviewedAt: string | null;
  revision: number;
  reviewedRevision: number | null;
  updatedAt: string;
}

export type NewPlan = Omit<Plan, 'key' | 'isActive'>;

/** Products and their payment plans. */
export class Catalogue {
  readonly products: Product[] = [];

  constructor(private readonly model: Model) {}

  create(name: string, plans: readonly NewPlan[]): Product {
    const { now } = this.model;
    const product: Product = {
      key: this.model.newKey('prod'),
      createdAt: now,
      name,
      plans: plans.map((plan) => ({ ...plan, key: this.model.newKey('plan'), isActive: true })),
      ...({ status: 'active', wanted: 'active', approval: 'review', wasApproved: false } as const),
      ...{ note: null, reviewedAt: null, revision: 1, reviewedRevision: null, updatedAt: now },
    };
    this.products.push(product);
    this.model.touch(product.key);
    return product;
  }

  rename(product: Product, name: string): Outcome {
    return product.name === name ? OK : this.edit(product, { name });
  }

  /** Takes the product out of the shop, or offers it again. */
  setStatus(product: Product, status: Product['status']): Outcome {
    return product.wanted === status ? OK : this.edit(product, { status, wanted: status });
  }

  /** A product that is not approved is reviewed again, and is inactive until then. */
  private edit(product: Product, fields: Partial<Product>): Outcome {
    this.change(product, { ...fields, revision: product.revision + 1 });
    if (product.approval !== 'approved') this.change(product, { approval: 'review', status: 'inactive' });
    return OK;
  }

  approve(product: Product): Outcome {
    const { approval, revision, reviewedRevision } = product;
    if (approval !== 'review' && approval !== 'approved') return refuse(422, 'product_not_in_review');
    if (approval === 'approved' && revision === reviewedRevision) return OK;
    const status = approval === 'review' ? product.wanted : product.status;
    const reviewed = { reviewedAt: this.model.now, reviewedRevision: revision, note: null };
    this.change(product, { approval: 'approved', wasApproved: true, status, ...reviewed });
    return OK;
  }

  deny(product: Product, note: string): Outcome {
    const { approval, revision, reviewedRevision, wasApproved } = product;
    const hasChanges = approval === 'approved' && revision > (reviewedRevision ?? 0);
    if (approval !== 'review' && !hasChanges) return refuse(422, 'product_not_in_review');
    const denied = wasApproved
      ? ({ approval: 'denied_changed', status: 'inactive' } as const)
      : { approval: 'denied' as const };
    this.change(product, { ...denied, note, reviewedAt: this.model.now, reviewedRevision: revision });
    return OK;
  }

  addPlan(product: Product, plan: NewPlan): Plan {
    const added = { ...plan, key: this.model.newKey('plan'), isActive: true };
    product.plans.push(added);
    this.change(product, {});
    return added;
  }

  archivePlan(product: Product, plan: Plan): Outcome {
    if (!plan.isActive) return OK;
    plan.isActive = false;
    this.change(product, {});
    return OK;
  }

  /** Refuses a line of a product that cannot be bought, or of a plan that is not sold any more. */
  refuseLine(product: Product, plan: Plan): Outcome {
    if (product.approval !== 'approved') return refuse(422, 'not_saleable');
    if (product.status === 'inactive' || !product.plans.some(({ isActive }) => isActive))
      return refuse(422, 'not_saleable');
    return plan.isActive ? CREATED : refuse(422, 'plan_not_available');
  }

  productOf(plan: Plan): Product {
    return this.products.find(({ plans }) => plans.includes(plan))!;
  }

  private change(product: Product, fields: Partial<Product>): void {
    Object.assign(product, fields, { updatedAt: this.model.now });
    this.model.touch(product.key);
  }

  render(product: Product): Fields {
    return {
      id: nameOf(product.key),
      object: 'product',
      business: { object: 'business', id: nameOf('biz') },
      created_at: product.createdAt,
      name: product.name,
      description: null,
      status: product.status,
      approval_status: product.approval,
      approval_note: product.note,
      reviewed_at: product.reviewedAt,
      revision: product.revision,
      reviewed_revision: product.reviewedRevision,
      plans: product.plans.map(renderPlan),
      ...{ images: [], attachments: [], metadata: {}, external_reference: null, updated_at: product.updatedAt },
    };
  }
}

function renderPlan(plan: Plan): Fields {
  return {
    id: nameOf(plan.key),
    object: 'payment_plan',
    kind: plan.kind,
    name: plan.name ?? SOME_TEXT,
    amount_cents: plan.amount,
    currency: plan.currency,
    interval: plan.interval,
    interval_count: plan.count,
    installments_count: plan.parts,
    status: plan.isActive ? 'active' : 'archived',
  };
}
