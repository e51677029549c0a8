import { Rejection, type Fault } from '../../kernel/rejection.js';
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
export function blockReason({ status, approval, plans }: Saleable): BlockReason {
  if (approval !== 'approved') return 'pending_approval';
  if (status !== 'active') return 'inactive';
  return plans.some((plan) => plan.status === 'active') ? 'none' : 'no_active_plan';
}

/** Returns the requested plan, or the product's first active plan. */
export function planToSell(plans: readonly Plan[], planId: string | null): Plan {
  const plan = plans.find(({ planId: id, status }) => status === 'active' && (planId === null || id === planId));
  if (plan === undefined) throw new Rejection('plan_not_available', 'The plan is archived or belongs to another product.', 'plan_id');
  return plan;
}

export function refuseUnsaleable(product: Saleable): void {
  const reason = blockReason(product);
  if (reason !== 'none') throw new Rejection('not_saleable', DETAILS[reason], 'product_id', { block_reason: reason });
}

/** Lists every unavailable line; `block_reason` is the reason of the first one. */
export function refuseUnavailable(reasons: readonly BlockReason[]): void {
  const bad = reasons.flatMap((reason, i) => (reason === 'none' ? [] : [{ reason, fault: unavailable(reason, i) }]));
  if (bad.length === 0) return;
  throw Rejection.of(
    'product_unavailable',
    'A product in the cart cannot be bought.',
    bad.map(({ fault }) => fault),
    { block_reason: bad[0]!.reason },
  );
}

function unavailable(reason: BlockReason, line: number): Fault {
  return { code: 'product_unavailable', detail: DETAILS[reason], param: `lines[${line}].product_id` };
}
