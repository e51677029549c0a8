import { isDue } from '../../kernel/clock.js';
import { idOf } from '../../kernel/ids.js';
import { calculatePeriodEnd, findAnchorDay } from './billing-period.js';
import { findNextRetry } from './dunning.js';
import { toCancelled } from './subscription-cancellation.js';
import { deferChange, endChange } from './subscription-change.js';
import type { PendingChange, Renewal, RenewalFailure, SubscriptionEvent } from './subscription-events.js';
import type { Agreement, KnownSubscription } from './subscription-state.js';
import { calculateDiscount, type SubscriptionTerms } from './subscription-terms.js';

/** The reason of the end, and the code of a failed change, after the last failed charge. */
export const PAYMENT_FAILED = 'payment_failed';

/** Starts the charge of a due period. A timer that no longer fits changes nothing. */
export interface StartRenewal {
  readonly type: 'StartRenewal';
  readonly periodStart: string;
  readonly attempt: number;
  /** A retry that a caller waits for is not bound to the schedule. */
  readonly requested: boolean;
  /** The active plans of the product. */
  readonly availablePlanIds: readonly string[];
}

/** Records the success of a charge; `payment` is null when nothing was due. */
export interface RecordRenewal {
  readonly type: 'RecordRenewal';
  readonly invoiceId: string;
  readonly payment: { readonly paymentId: string; readonly paidAt: string } | null;
}

/** Records the failure of a charge. After a hard decline no retry follows. */
export interface FailRenewal {
  readonly type: 'FailRenewal';
  readonly invoiceId: string;
  readonly paymentId: string | null;
  readonly code: string;
  readonly detail: string;
  readonly hard: boolean;
}

type DuePeriod = Pick<Renewal, 'kind' | 'requested' | 'periodStart' | 'anchorDay'>;

export function startRenewal(command: StartRenewal, subscription: KnownSubscription, at: string): SubscriptionEvent[] {
  const due = findDuePeriod(command, subscription, at);
  const { attempts, renewal } = subscription.agreement;
  if (due === null || renewal !== null || due.periodStart !== command.periodStart || attempts + 1 !== command.attempt)
    return [];
  return startCharge(due, subscription.agreement, command.availablePlanIds, at);
}

function findDuePeriod({ requested }: StartRenewal, subscription: KnownSubscription, at: string): DuePeriod | null {
  if (subscription.status === 'past_due') {
    const { periodStart, anchorDay, nextRetryAt } = subscription.dunning;
    return requested || isDue(nextRetryAt, at) ? { kind: 'renewal', requested, periodStart, anchorDay } : null;
  }
  if (subscription.status !== 'active' || subscription.cancellation !== null) return null;
  const { paidUntil: periodStart, terms, anchorDay: oldAnchorDay } = subscription.agreement;
  const anchorDay = hasAnchorDay(terms) ? oldAnchorDay : findAnchorDay(periodStart);
  return isDue(periodStart, at) ? { kind: 'renewal', requested: false, periodStart, anchorDay } : null;
}

function hasAnchorDay({ interval }: SubscriptionTerms): boolean {
  return interval === 'month' || interval === 'year';
}

/** Bills the terms of the pending change if its plan is still available, else the current terms. */
export function startCharge(
  due: DuePeriod,
  agreement: Agreement,
  availablePlanIds: readonly string[],
  at: string,
): SubscriptionEvent[] {
  const { start, change } = agreement;
  const { subscriptionId } = start;
  const isLost = change?.kind === 'plan' && !availablePlanIds.includes(change.to.planId!);
  const renewal = toRenewal(due, agreement, isLost ? null : change);
  return [
    ...(isLost ? [failChange(change, subscriptionId, 'plan_not_available', 'The plan was archived.', at)] : []),
    { type: 'RenewalStarted', data: { subscriptionId, ...renewal, at } },
  ];
}

/**
 * A charge that a discount reduces to nothing keeps the current terms, so that it never confirms a change. A change to a
 * free plan needs no payment: the invoice of its first period confirms it.
 */
function toRenewal(due: DuePeriod, agreement: Agreement, change: PendingChange | null): Renewal {
  const { start, terms: current, attempts, openInvoice, methodToken } = agreement;
  const { subscriptionId } = start;
  const { periodStart, anchorDay } = due;
  const attempt = attempts + 1;
  const billed = change?.to ?? current;
  const amountCents = billed.amountCents - calculateDiscount(billed, start.discount, periodStart);
  const isFree = amountCents === 0;
  const keepsTerms = isFree && billed.amountCents > 0;
  const terms = keepsTerms ? current : billed;
  const changeId = keepsTerms ? null : (change?.changeId ?? null);
  const createId = (prefix: string) => idOf(prefix, Date.parse(periodStart), subscriptionId, periodStart, attempt);
  const keptInvoice = openInvoice?.changeId === changeId ? openInvoice : null;
  return {
    ...due,
    periodEnd: calculatePeriodEnd(periodStart, terms, anchorDay),
    attempt,
    paymentId: isFree ? null : createId('pay'),
    invoiceId: keptInvoice?.invoiceId ?? createId('inv'),
    replacedInvoiceId: keptInvoice === null ? (openInvoice?.invoiceId ?? null) : null,
    terms,
    changeId,
    amountCents,
    discountCents: terms.amountCents - amountCents,
    methodToken,
  };
}

export function recordRenewal(
  { invoiceId, payment }: RecordRenewal,
  subscription: KnownSubscription,
  at: string,
): SubscriptionEvent[] {
  const { start, renewal } = subscription.agreement;
  if (!isChargeOf(renewal, invoiceId, payment?.paymentId ?? null)) return [];

  const { subscriptionId } = start;
  const { kind, periodStart, periodEnd, anchorDay, amountCents, paymentId } = renewal;
  const ends = subscription.status === 'active' && subscription.cancellation !== null;
  const period = { periodStart, periodEnd, anchorDay, nextBillingAt: ends ? null : periodEnd };
  const confirmed = confirmChange(subscription, renewal, payment, period.nextBillingAt, at);
  return [
    ...(kind === 'resume'
      ? [{ type: 'SubscriptionResumed', data: { subscriptionId, nextBillingAt: periodEnd, at } } as const]
      : []),
    ...confirmed,
    { type: 'SubscriptionRenewed', data: { subscriptionId, ...period, amountCents, paymentId, invoiceId, at } },
    ...(confirmed.length === 0 ? deferChange(subscription, periodEnd, at) : []),
  ];
}

function confirmChange(
  { agreement: { start, change } }: KnownSubscription,
  { changeId, invoiceId }: Renewal,
  payment: RecordRenewal['payment'],
  nextBillingAt: string | null,
  at: string,
): SubscriptionEvent[] {
  if (change === null || change.changeId !== changeId) return [];
  const { from, to, kind } = change;
  const confirmedAt = payment?.paidAt ?? at;
  const data = { subscriptionId: start.subscriptionId, changeId, from, to, confirmedAt, nextBillingAt, at };
  if (payment === null) return [{ type: 'PlanChanged', data: { ...data, paymentId: null, invoiceId } }];
  const { paymentId } = payment;
  return [
    kind === 'plan'
      ? { type: 'PlanChanged', data: { ...data, paymentId, invoiceId: null } }
      : { type: 'PriceChanged', data: { ...data, paymentId } },
  ];
}

/** A requested charge that fails leaves the subscription as it was. */
export function failRenewal(
  { invoiceId, paymentId, code, detail, hard }: FailRenewal,
  subscription: KnownSubscription,
  at: string,
): SubscriptionEvent[] {
  const { start, renewal } = subscription.agreement;
  if (!isChargeOf(renewal, invoiceId, paymentId)) return [];

  const { subscriptionId } = start;
  const failed = { subscriptionId, attempt: renewal.attempt, paymentId, invoiceId, code, detail, at };
  if (renewal.kind === 'resume' && renewal.requested) return [{ type: 'ResumeFailed', data: failed }];
  const { firstFailedAt, nextRetryAt } = scheduleRetry(renewal, subscription, hard, at);
  return [
    { type: 'RenewalFailed', data: { ...failed, hard, firstFailedAt, nextRetryAt } },
    ...(nextRetryAt === null ? giveUp(subscription, invoiceId, at) : deferChange(subscription, nextRetryAt, at)),
  ];
}

function scheduleRetry(
  { requested }: Renewal,
  subscription: KnownSubscription,
  hard: boolean,
  at: string,
): Pick<RenewalFailure, 'firstFailedAt' | 'nextRetryAt'> {
  const dunning = subscription.status === 'past_due' ? subscription.dunning : null;
  const firstFailedAt = dunning?.firstFailedAt ?? at;
  if (requested && dunning !== null) return { firstFailedAt, nextRetryAt: dunning.nextRetryAt };
  if (hard || (subscription.status === 'active' && subscription.cancellation !== null))
    return { firstFailedAt, nextRetryAt: null };
  return { firstFailedAt, nextRetryAt: findNextRetry(firstFailedAt, (dunning?.failedAttempts ?? 0) + 1) };
}

/** Ends the subscription after its last failed charge. */
function giveUp(subscription: KnownSubscription, invoiceId: string, at: string): SubscriptionEvent[] {
  if (subscription.status === 'active' && subscription.cancellation !== null) {
    const { reason } = subscription.cancellation;
    return [...endChange(subscription, at), toCancelled({ at, reason }, subscription, invoiceId, at)];
  }
  const { change, start } = subscription.agreement;
  const detail = 'The renewal that would bill the change was not paid.';
  return [
    ...(change === null ? [] : [failChange(change, start.subscriptionId, PAYMENT_FAILED, detail, at)]),
    toCancelled({ at, reason: PAYMENT_FAILED }, subscription, invoiceId, at),
  ];
}

function isChargeOf(renewal: Renewal | null, invoiceId: string, paymentId: string | null): renewal is Renewal {
  return renewal !== null && renewal.invoiceId === invoiceId && renewal.paymentId === paymentId;
}

function failChange(
  { changeId }: PendingChange,
  subscriptionId: string,
  code: string,
  detail: string,
  at: string,
): SubscriptionEvent {
  return { type: 'ChangeFailed', data: { subscriptionId, changeId, code, detail, at } };
}
