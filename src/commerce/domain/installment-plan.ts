import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { calculatePeriodEnd, findAnchorDay } from './billing-period.js';
import { findNextRetry } from './dunning.js';
import type { Installment, InstallmentPlanEvent, InstallmentPlanStart } from './installment-plan-events.js';
import { calculateDiscount } from './subscription-terms.js';

/** The first part that is not paid. */
interface OpenPart {
  readonly number: number;
  readonly dueAt: string;
  /** The time of the next attempt. */
  readonly chargeAt: string;
  readonly failedAttempts: number;
  readonly firstFailedAt: string | null;
  /** The charge whose result is not recorded yet. */
  readonly charge: Installment | null;
}

export type KnownInstallmentPlan = { readonly start: InstallmentPlanStart } & (
  | { readonly status: 'active' | 'past_due'; readonly anchorDay: number; readonly part: OpenPart }
  | { readonly status: 'completed' | 'failed' }
);

export type InstallmentPlan = { readonly status: 'unknown' } | KnownInstallmentPlan;

type OpenInstallmentPlan = Extract<KnownInstallmentPlan, { status: 'active' | 'past_due' }>;

function evolve(plan: InstallmentPlan, event: InstallmentPlanEvent): InstallmentPlan {
  if (event.type === 'InstallmentPlanStarted') return toStartedPlan(event.data);
  if (!isOpen(plan)) return plan;

  const { start, part } = plan;
  switch (event.type) {
    case 'InstallmentStarted':
      return { ...plan, part: { ...part, charge: event.data } };
    case 'InstallmentPaid': {
      const { nextDueAt } = event.data;
      if (nextDueAt === null) return { status: 'completed', start };
      return { ...plan, status: 'active', part: openPart(part.number + 1, nextDueAt) };
    }
    case 'InstallmentFailed': {
      const { nextRetryAt: chargeAt, firstFailedAt } = event.data;
      if (chargeAt === null) return { status: 'failed', start };
      const failedAttempts = part.failedAttempts + 1;
      return { ...plan, status: 'past_due', part: { ...part, chargeAt, failedAttempts, firstFailedAt, charge: null } };
    }
  }
}

function isOpen(plan: InstallmentPlan): plan is OpenInstallmentPlan {
  return plan.status === 'active' || plan.status === 'past_due';
}

function toStartedPlan({
  anchorDay,
  nextDueAt,
  at: _,
  ...start
}: Extract<InstallmentPlanEvent, { type: 'InstallmentPlanStarted' }>['data']): OpenInstallmentPlan {
  return { status: 'active', start, anchorDay, part: openPart(2, nextDueAt) };
}

function openPart(number: number, dueAt: string): OpenPart {
  return { number, dueAt, chargeAt: dueAt, failedAttempts: 0, firstFailedAt: null, charge: null };
}

export type InstallmentPlanCommand =
  | { readonly type: 'StartInstallmentPlan'; readonly start: InstallmentPlanStart }
  | { readonly type: 'StartInstallment' }
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
  if (!isOpen(plan)) return [];

  const { chargeAt, charge } = plan.part;
  if (command.type === 'StartInstallment') return charge === null && chargeAt <= now ? [startCharge(plan, now)] : [];
  if (charge === null || charge.invoiceId !== command.invoiceId || charge.paymentId !== command.paymentId) return [];
  switch (command.type) {
    case 'RecordInstallment':
      return [recordCharge(plan, charge, now)];
    case 'FailInstallment':
      return [failCharge(command, plan, charge, now)];
  }
}

function startPlan(start: InstallmentPlanStart, at: string): InstallmentPlanEvent {
  const anchorDay = findAnchorDay(start.startedAt);
  const nextDueAt = calculatePeriodEnd(start.startedAt, start, anchorDay);
  return { type: 'InstallmentPlanStarted', data: { ...start, anchorDay, nextDueAt, at } };
}

/** The ids derive from the part and the attempt, so that no run charges an attempt twice. */
function startCharge({ start, part }: OpenInstallmentPlan, at: string): InstallmentPlanEvent {
  const { installmentPlanId } = start;
  const { number, dueAt } = part;
  const attempt = part.failedAttempts + 1;
  const discountCents = calculateDiscount(start, start.discount, dueAt);
  const amountCents = start.amountCents - discountCents;
  const createId = (prefix: string, ...seed: number[]) =>
    idOf(prefix, Date.parse(dueAt), installmentPlanId, number, ...seed);
  const paymentId = amountCents === 0 ? null : createId('pay', attempt);
  const charge = { number, attempt, paymentId, invoiceId: createId('inv'), amountCents, discountCents };
  return { type: 'InstallmentStarted', data: { installmentPlanId, ...charge, at } };
}

/** A part that is paid late does not move the later parts. */
function recordCharge(
  { start, anchorDay, part: { dueAt } }: OpenInstallmentPlan,
  { number, paymentId, invoiceId, amountCents }: Installment,
  at: string,
): InstallmentPlanEvent {
  const { installmentPlanId, installmentsCount } = start;
  const nextDueAt = number < installmentsCount ? calculatePeriodEnd(dueAt, start, anchorDay) : null;
  const paid = { installmentPlanId, number, paymentId, invoiceId, amountCents, nextDueAt, at };
  return { type: 'InstallmentPaid', data: paid };
}

function failCharge(
  { code, detail, hard }: FailInstallment,
  { start: { installmentPlanId }, part }: OpenInstallmentPlan,
  { number, attempt, paymentId, invoiceId }: Installment,
  at: string,
): InstallmentPlanEvent {
  const firstFailedAt = part.firstFailedAt ?? at;
  const nextRetryAt = hard ? null : findNextRetry(firstFailedAt, attempt);
  const failed = { installmentPlanId, number, attempt, paymentId, invoiceId, code, detail, hard };
  return { type: 'InstallmentFailed', data: { ...failed, firstFailedAt, nextRetryAt, at } };
}

export const installmentPlanDecider: Decider<InstallmentPlan, InstallmentPlanCommand, InstallmentPlanEvent> = {
  category: 'installmentPlan',
  clock: 'business',
  versions: { InstallmentPlanStarted: 1, InstallmentStarted: 1, InstallmentPaid: 1, InstallmentFailed: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
