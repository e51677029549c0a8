import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { type FieldError, Rejection } from '../../kernel/rejection.js';
import type { Interval } from './billing-period.js';

/** The maximum of active plans of one product. */
export const MAX_PLANS = 20;
/** The maximum of plans of one product, archived ones included. */
export const MAX_PLANS_IN_ALL = 200;

export const PLAN_KINDS = ['one_time', 'subscription', 'installment'] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/** The price and the interval of a plan. Amount, currency and interval never change. */
export interface PlanTerms {
  readonly kind: PlanKind;
  readonly name: string | null;
  readonly amountCents: number;
  readonly currency: string;
  readonly interval: Interval | null;
  readonly intervalCount: number;
  readonly installmentsCount: number | null;
}

/** A plan of a product, with its id. */
export interface Plan extends PlanTerms {
  readonly planId: string;
  readonly status: 'active' | 'archived';
}

export function createPlan(planId: string, terms: PlanTerms): Plan {
  return { planId, ...terms, status: 'active' };
}

/** Returns the terms without id and status. */
export function toTerms({
  kind,
  name,
  amountCents,
  currency,
  interval,
  intervalCount,
  installmentsCount,
}: Plan): PlanTerms {
  return { kind, name, amountCents, currency, interval, intervalCount, installmentsCount };
}

/** Records the owner of a plan. The product's stream holds its terms and its status. */
export type PaymentPlanEvent = Fact<
  'PaymentPlanCreated',
  { planId: string; productId: string; businessId: string; at: string }
>;

export type PaymentPlan =
  | { readonly status: 'unknown' }
  | { readonly status: 'known'; readonly productId: string; readonly businessId: string };

function evolve(_: PaymentPlan, { data: { productId, businessId } }: PaymentPlanEvent): PaymentPlan {
  return { status: 'known', productId, businessId };
}

export type PaymentPlanCommand = {
  readonly type: 'CreatePaymentPlan';
  readonly planId: string;
  readonly productId: string;
  readonly businessId: string;
};

export const paymentPlanDecider: Decider<PaymentPlan, PaymentPlanCommand, PaymentPlanEvent> = {
  category: 'paymentPlan',
  clock: 'business',
  versions: { PaymentPlanCreated: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide: ({ planId, productId, businessId }, plan, { now }) =>
    plan.status === 'known' ? [] : [{ type: 'PaymentPlanCreated', data: { planId, productId, businessId, at: now } }],
};

/** @throws Rejection validation_failed, when an interval or a number of installments does not fit the kind of plan */
export function assertValidPlans(plans: readonly PlanTerms[]): void {
  assertNoErrors(plans.flatMap((plan, i) => validatePlan(plan, `plans[${i}].`)));
}

/** @throws Rejection as `assertValidPlans`, for a plan that is a request body of its own */
export function assertValidPlan(plan: PlanTerms): void {
  assertNoErrors(validatePlan(plan, ''));
}

function assertNoErrors(errors: readonly FieldError[]): void {
  const detail = 'A plan has a missing field, or a field that its kind does not allow.';
  if (errors.length > 0) throw Rejection.of('validation_failed', detail, errors);
}

function validatePlan(
  { kind, interval, intervalCount, installmentsCount }: PlanTerms,
  path: string,
): readonly FieldError[] {
  return [
    ...validatePresence(interval !== null, kind !== 'one_time', `${path}interval`),
    ...(kind === 'one_time' ? validatePresence(intervalCount !== 1, false, `${path}interval_count`) : []),
    ...validatePresence(installmentsCount !== null, kind === 'installment', `${path}installments_count`),
  ];
}

function validatePresence(present: boolean, required: boolean, param: string): readonly FieldError[] {
  if (present === required) return [];
  return required
    ? [{ code: 'required', detail: 'is required for this kind of plan', param }]
    : [{ code: 'not_allowed', detail: 'is not allowed for this kind of plan', param }];
}
