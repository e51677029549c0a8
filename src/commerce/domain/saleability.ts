import { type FieldError, Rejection } from '../../kernel/rejection.js';
import type { Plan } from './payment-plan.js';

export type BlockReason = 'none' | 'pending_approval' | 'inactive' | 'no_active_plan';

const DETAILS: Record<BlockReason, string> = {
  none: 'The product can be bought.',
  pending_approval: 'The product is waiting for approval.',
  inactive: 'The product is not active.',
  no_active_plan: 'The product has no active plan.',
};

/** The facts that decide whether a product can be bought. */
export interface Saleable {
  readonly status: string;
  readonly approval: string;
  readonly plans: readonly { readonly status: string }[];
}

/** Returns the first reason, in order of precedence, why the product cannot be bought. */
export function findBlockReason({ status, approval, plans }: Saleable): BlockReason {
  if (approval !== 'approved') return 'pending_approval';
  if (status !== 'active') return 'inactive';
  return plans.some((plan) => plan.status === 'active') ? 'none' : 'no_active_plan';
}

export function limitToPlan<P extends { readonly plans: readonly Plan[] }>(product: P, planId: string): P {
  return { ...product, plans: product.plans.filter((plan) => plan.planId === planId) };
}

/** Returns the requested plan, or the product's first active plan. */
export function findPlan(plans: readonly Plan[], planId: string | null): Plan | undefined {
  return plans.find(({ planId: id, status }) => status === 'active' && (planId === null || id === planId));
}

export function requirePlan(plans: readonly Plan[], planId: string | null, param = 'plan_id'): Plan {
  const plan = findPlan(plans, planId);
  if (plan === undefined)
    throw new Rejection('plan_not_available', 'The plan is archived or belongs to another product.', param);
  return plan;
}

export function assertSaleable(product: Saleable, param = 'product_id'): void {
  const reason = findBlockReason(product);
  if (reason !== 'none') throw new Rejection('not_saleable', DETAILS[reason], param, { block_reason: reason });
}

/** Lists every unavailable line; `block_reason` is the reason of the first one. */
export function assertAvailable(reasons: readonly BlockReason[]): void {
  const unavailable = reasons.flatMap((reason, i) =>
    reason === 'none' ? [] : [{ reason, error: createUnavailableError(reason, i) }],
  );
  if (unavailable.length === 0) return;
  throw Rejection.of(
    'product_unavailable',
    'A product in the cart cannot be bought.',
    unavailable.map(({ error }) => error),
    { block_reason: unavailable[0]!.reason },
  );
}

function createUnavailableError(reason: BlockReason, line: number): FieldError {
  return { code: 'product_unavailable', detail: DETAILS[reason], param: `lines[${line}].product_id` };
}
