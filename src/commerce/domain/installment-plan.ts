import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { calculatePeriodEnd } from './billing-period.js';
import { findNextRetry } from './dunning.js';
import type { Installment, InstallmentPlanEvent, InstallmentPlanStart } from './installment-plan-events.js';
import {
  type EndedInstallmentPlan,
  evolve,
  type InstallmentPlan,
  isOpen,
  type KnownInstallmentPlan,
  type OpenInstallmentPlan,
} from './installment-plan-state.js';
import { describeEnd, describeNextPart } from './installment-progress.js';
import { findSecondPart } from './installment-start.js';
import { calculateDiscount } from './subscription-terms.js';

export type InstallmentPlanCommand =
  | { readonly type: 'StartInstallmentPlan'; readonly start: InstallmentPlanStart }
  /** A retry that a caller waits for is not bound to the schedule. */
  | { readonly type: 'StartInstallment'; readonly requested?: boolean }
  | { readonly type: 'CancelInstallmentPlan' }
  | { readonly type: 'ChangeInstallmentMethod'; readonly methodToken: string }
  | { readonly type: 'RecordInstallment'; readonly invoiceId: string; readonly paymentId: string | null }
  | FailInstallment;

/** Records the failure of a charge. After a hard decline no retry follows. */
export interface FailInstallment {
  readonly type: 'FailInstallment';
  readonly invoiceId: string;
  readonly paymentId: string | null;
  readonly code: string;
  readonly detail: string;
  readonly hard: boolean;
}

/** Ignores a charge that is not due, and a result of another charge than the started one. */
function decide(
  command: InstallmentPlanCommand,
  plan: InstallmentPlan,
  { now }: DecisionContext,
): readonly InstallmentPlanEvent[] {
  if (command.type === 'StartInstallmentPlan') return plan.status === 'unknown' ? [startPlan(command.start, now)] : [];
  if (plan.status === 'unknown') throw Rejection.notFound();
  if (command.type === 'CancelInstallmentPlan') return cancel(plan, now);
  if (command.type === 'ChangeInstallmentMethod') return changeMethod(command.methodToken, plan, now);
  if (!isOpen(plan)) return command.type === 'RecordInstallment' ? recordLateCharge(command, plan, now) : [];
  if (command.type === 'StartInstallment') return startCharge(plan, command.requested ?? false, now);

  const { charge } = plan.part;
  if (charge === null || !isResultOf(charge, command)) return [];
  switch (command.type) {
    case 'RecordInstallment':
      return [recordCharge(plan, charge, now)];
    case 'FailInstallment':
      return [failCharge(command, plan, charge, now)];
  }
}

function isResultOf(
  { invoiceId, paymentId }: Installment,
  result: Pick<FailInstallment, 'invoiceId' | 'paymentId'>,
): boolean {
  return invoiceId === result.invoiceId && paymentId === result.paymentId;
}

function startPlan(start: InstallmentPlanStart, at: string): InstallmentPlanEvent {
  const { anchorDay, dueAt: nextDueAt } = findSecondPart(start);
  return { type: 'InstallmentPlanStarted', data: { ...start, anchorDay, nextDueAt, at } };
}

/** A charge whose result is unknown stands: its payment pays its invoice, and its failure voids it. */
function cancel(plan: KnownInstallmentPlan, at: string): readonly InstallmentPlanEvent[] {
  if (plan.status === 'cancelled') return [];
  if (!isOpen(plan)) throw createEndedRejection(plan);
  const { start, part } = plan;
  const hasFailed = part.firstFailedAt !== null;
  const openInvoiceId = hasFailed && part.charge === null ? createPartId('inv', plan) : null;
  const progress = describeEnd(start, 'cancelled', part.number - 1, hasFailed);
  const { installmentPlanId } = start;
  return [{ type: 'InstallmentPlanCancelled', data: { installmentPlanId, openInvoiceId, progress, at } }];
}

function changeMethod(methodToken: string, plan: KnownInstallmentPlan, at: string): readonly InstallmentPlanEvent[] {
  if (!isOpen(plan)) throw createEndedRejection(plan);
  if (plan.methodToken === methodToken) return [];
  const { installmentPlanId } = plan.start;
  return [{ type: 'InstallmentMethodChanged', data: { installmentPlanId, methodToken, at } }];
}

function createEndedRejection({ status }: KnownInstallmentPlan): Rejection {
  return new Rejection('installments_ended', `The installments are ${status} already.`);
}

function createPartId(
  prefix: string,
  { start, part: { number, dueAt } }: OpenInstallmentPlan,
  ...seed: number[]
): string {
  return idOf(prefix, Date.parse(dueAt), start.installmentPlanId, number, ...seed);
}

/** The ids derive from the part and the attempt, so that no run charges an attempt twice. */
function startCharge(plan: OpenInstallmentPlan, requested: boolean, at: string): readonly InstallmentPlanEvent[] {
  const { start, status, methodToken, part } = plan;
  const { number, dueAt, chargeAt } = part;
  const isDue = chargeAt <= at || (requested && status === 'past_due');
  if (part.charge !== null || !isDue) return [];
  const { installmentPlanId } = start;
  const attempt = part.attempts + 1;
  const discountCents = calculateDiscount(start, start.discount, dueAt);
  const amountCents = start.amountCents - discountCents;
  const paymentId = amountCents === 0 ? null : createPartId('pay', plan, attempt);
  const charge = { number, attempt, paymentId, invoiceId: createPartId('inv', plan), amountCents, discountCents };
  return [
    {
      type: 'InstallmentStarted',
      data: { installmentPlanId, ...charge, methodToken, ...(requested && { requested }), at },
    },
  ];
}

/** A part that is paid late does not move the later parts. */
function recordCharge(
  { start, anchorDay, part: { dueAt } }: OpenInstallmentPlan,
  { number, paymentId, invoiceId, amountCents }: Installment,
  at: string,
): InstallmentPlanEvent {
  const { installmentPlanId, installmentsCount } = start;
  const nextDueAt = number < installmentsCount ? calculatePeriodEnd(dueAt, start, anchorDay) : null;
  const next = { number: number + 1, hasFailed: false };
  const progress =
    nextDueAt === null
      ? describeEnd(start, 'completed', number, false)
      : describeNextPart(start, anchorDay, { ...next, dueAt: nextDueAt, chargeAt: nextDueAt });
  const paid = { installmentPlanId, number, paymentId, invoiceId, amountCents, nextDueAt, progress, at };
  return { type: 'InstallmentPaid', data: paid };
}

/** The payment of a charge that a cancellation found without a result pays its part. No later part follows. */
function recordLateCharge(
  result: Extract<InstallmentPlanCommand, { type: 'RecordInstallment' }>,
  { start, charge }: EndedInstallmentPlan,
  at: string,
): readonly InstallmentPlanEvent[] {
  if (charge === undefined || !isResultOf(charge, result)) return [];
  const { number, paymentId, invoiceId, amountCents } = charge;
  const progress = describeEnd(start, 'cancelled', number, false);
  const paid = { installmentPlanId: start.installmentPlanId, number, paymentId, invoiceId, amountCents };
  return [{ type: 'InstallmentPaid', data: { ...paid, nextDueAt: null, progress, at } }];
}

/** A requested charge that fails leaves the schedule as it was. */
function failCharge(
  { code, detail, hard }: FailInstallment,
  { start, anchorDay, part }: OpenInstallmentPlan,
  { number, attempt, paymentId, invoiceId, requested = false }: Installment,
  at: string,
): InstallmentPlanEvent {
  const { installmentPlanId } = start;
  const firstFailedAt = part.firstFailedAt ?? at;
  const scheduled = hard ? null : findNextRetry(firstFailedAt, part.failedAttempts + 1);
  const nextRetryAt = requested ? part.chargeAt : scheduled;
  const progress =
    nextRetryAt === null
      ? describeEnd(start, 'uncollectible', number - 1, true)
      : describeNextPart(start, anchorDay, { ...part, chargeAt: nextRetryAt, hasFailed: true });
  const failed = { installmentPlanId, number, attempt, paymentId, invoiceId, code, detail, hard };
  return { type: 'InstallmentFailed', data: { ...failed, firstFailedAt, nextRetryAt, progress, at } };
}

export const installmentPlanDecider: Decider<InstallmentPlan, InstallmentPlanCommand, InstallmentPlanEvent> = {
  category: 'installmentPlan',
  clock: 'business',
  versions: {
    InstallmentPlanStarted: 1,
    InstallmentStarted: 1,
    InstallmentPaid: 1,
    InstallmentFailed: 1,
    InstallmentPlanCancelled: 1,
    InstallmentMethodChanged: 1,
  },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
