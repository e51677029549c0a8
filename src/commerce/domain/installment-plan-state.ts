import type { Installment, InstallmentPlanEvent, InstallmentPlanStart } from './installment-plan-events.js';

/** The first part that is not paid. */
export interface OpenPart {
  readonly number: number;
  readonly dueAt: string;
  /** The time of the next attempt. */
  readonly chargeAt: string;
  readonly attempts: number;
  /** The failed attempts of the schedule, without the requested ones. */
  readonly failedAttempts: number;
  readonly firstFailedAt: string | null;
  /** The charge whose result is not recorded yet. */
  readonly charge: Installment | null;
}

/** `paymentIds` are the payments of the later parts that succeeded. */
interface PaidPlan {
  readonly start: InstallmentPlanStart;
  readonly paymentIds: readonly string[];
}

export type OpenInstallmentPlan = PaidPlan & {
  readonly status: 'active' | 'past_due';
  readonly anchorDay: number;
  readonly methodToken: string | null;
  readonly part: OpenPart;
};

/**
 * `charge`: the one whose result was unknown at the cancellation. It stands, so its part may be paid later. `paidInFull`:
 * it was the last part.
 */
export type EndedInstallmentPlan = PaidPlan & {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly charge?: Installment;
  readonly paidInFull?: boolean;
};

export type KnownInstallmentPlan = OpenInstallmentPlan | EndedInstallmentPlan;

export type InstallmentPlan = { readonly status: 'unknown' } | KnownInstallmentPlan;

export function isOpen(plan: InstallmentPlan): plan is OpenInstallmentPlan {
  return plan.status === 'active' || plan.status === 'past_due';
}

export function evolve(plan: InstallmentPlan, event: InstallmentPlanEvent): InstallmentPlan {
  if (event.type === 'InstallmentPlanStarted') return toStartedPlan(event.data);
  if (plan.status === 'unknown') return plan;
  if (!isOpen(plan)) return event.type === 'InstallmentPaid' ? payLate(plan, event.data) : plan;

  const { start, paymentIds, part } = plan;
  switch (event.type) {
    case 'InstallmentStarted':
      return { ...plan, part: { ...part, attempts: event.data.attempt, charge: event.data } };
    case 'InstallmentPaid':
      return pay(plan, event.data);
    case 'InstallmentFailed':
      return fail(plan, event.data);
    case 'InstallmentPlanCancelled':
      return { status: 'cancelled', start, paymentIds, ...(part.charge !== null && { charge: part.charge }) };
    case 'InstallmentMethodChanged':
      return { ...plan, methodToken: event.data.methodToken };
  }
}

type EventData<T extends InstallmentPlanEvent['type']> = Extract<InstallmentPlanEvent, { type: T }>['data'];

function toStartedPlan({
  anchorDay,
  nextDueAt,
  at: _,
  ...start
}: EventData<'InstallmentPlanStarted'>): OpenInstallmentPlan {
  const { methodToken } = start;
  return { status: 'active', start, paymentIds: [], anchorDay, methodToken, part: openPart(2, nextDueAt) };
}

function openPart(number: number, dueAt: string): OpenPart {
  return { number, dueAt, chargeAt: dueAt, attempts: 0, failedAttempts: 0, firstFailedAt: null, charge: null };
}

function pay(plan: OpenInstallmentPlan, { paymentId, nextDueAt }: EventData<'InstallmentPaid'>): KnownInstallmentPlan {
  const paymentIds = paymentId === null ? plan.paymentIds : [...plan.paymentIds, paymentId];
  if (nextDueAt === null) return { status: 'completed', start: plan.start, paymentIds };
  return { ...plan, status: 'active', paymentIds, part: openPart(plan.part.number + 1, nextDueAt) };
}

function payLate(
  { charge: _, ...plan }: EndedInstallmentPlan,
  { paymentId, number }: EventData<'InstallmentPaid'>,
): EndedInstallmentPlan {
  const paymentIds = paymentId === null ? plan.paymentIds : [...plan.paymentIds, paymentId];
  return { ...plan, paymentIds, paidInFull: number === plan.start.installmentsCount };
}

function fail(
  plan: OpenInstallmentPlan,
  { nextRetryAt: chargeAt, firstFailedAt }: EventData<'InstallmentFailed'>,
): KnownInstallmentPlan {
  const { start, paymentIds, part } = plan;
  if (chargeAt === null) return { status: 'failed', start, paymentIds };
  const failedAttempts = part.failedAttempts + (part.charge?.requested ? 0 : 1);
  return { ...plan, status: 'past_due', part: { ...part, chargeAt, failedAttempts, firstFailedAt, charge: null } };
}
