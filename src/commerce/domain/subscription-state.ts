import type {
  PendingChange,
  Renewal,
  RenewalFailure,
  SubscriptionEvent,
  SubscriptionStart,
} from './subscription-events.js';
import type { SubscriptionTerms } from './subscription-terms.js';

/** The facts of a subscription in every state. */
export interface Agreement {
  readonly start: SubscriptionStart;
  readonly terms: SubscriptionTerms;
  readonly methodToken: string | null;
  readonly anchorDay: number;
  /** The end of the paid period. */
  readonly paidUntil: string;
  readonly change: PendingChange | null;
  /** The charge whose result is not recorded yet. */
  readonly renewal: Renewal | null;
  /** The charges since the last paid period. */
  readonly attempts: number;
  readonly openInvoice: OpenInvoice | null;
}

interface OpenInvoice {
  readonly invoiceId: string;
  readonly changeId: string | null;
}

export interface Cancellation {
  readonly at: string;
  readonly reason: string | null;
}

/** The unpaid period, and the retries of its charge. */
interface Dunning extends Pick<Renewal, 'periodStart' | 'anchorDay'> {
  /** The failed attempts of the schedule, without the requested ones. */
  readonly failedAttempts: number;
  readonly firstFailedAt: string;
  readonly nextRetryAt: string;
}

interface In<S extends string> {
  readonly status: S;
  readonly agreement: Agreement;
}

export type ActiveSubscription = In<'active'> & { readonly cancellation: Cancellation | null };
export type PastDueSubscription = In<'past_due'> & { readonly dunning: Dunning };
export type PausedSubscription = In<'paused'> & {
  readonly resumesAt: string | null;
  readonly cancellation: Cancellation | null;
};
export type KnownSubscription = ActiveSubscription | PastDueSubscription | PausedSubscription | In<'cancelled'>;
export type Subscription = { readonly status: 'unknown' } | KnownSubscription;

type Started = Extract<SubscriptionEvent, { type: 'SubscriptionStarted' }>['data'];
type Renewed = Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' }>['data'];

export function evolve(subscription: Subscription, event: SubscriptionEvent): Subscription {
  if (event.type === 'SubscriptionStarted') return start(event.data);
  if (subscription.status === 'unknown') return subscription;

  const { agreement } = subscription;
  switch (event.type) {
    case 'ChangeScheduled': {
      const { changeId, kind, from, to, effectiveAt } = event.data;
      return amend(subscription, { change: { changeId, kind, from, to, effectiveAt } });
    }
    case 'ChangeDeferred':
      return amend(subscription, {
        change: agreement.change && { ...agreement.change, effectiveAt: event.data.effectiveAt },
      });
    case 'ChangeSuperseded':
    case 'ChangeWithdrawn':
    case 'ChangeFailed':
      return amend(subscription, { change: null });
    case 'PlanChanged':
    case 'PriceChanged':
      return amend(subscription, { change: null, terms: event.data.to });
    case 'RenewalStarted':
      return amend(subscription, beginRenewal(event.data));
    case 'SubscriptionRenewed':
      return renew(subscription, event.data);
    case 'RenewalFailed':
      return failRenewal(subscription, event.data);
    case 'ResumeFailed':
      return amend(subscription, { renewal: null, openInvoice: null });
    case 'SubscriptionPaused':
      return { status: 'paused', agreement, resumesAt: event.data.resumesAt, cancellation: null };
    case 'SubscriptionResumed':
      return { status: 'active', agreement, cancellation: null };
    case 'CancellationScheduled':
      return scheduleEnd(subscription, { at: event.data.cancelAt, reason: event.data.reason });
    case 'CancellationRevoked':
      return scheduleEnd(subscription, null);
    case 'SubscriptionCancelled':
      return { status: 'cancelled', agreement: { ...agreement, change: null, renewal: null, openInvoice: null } };
    case 'PaymentMethodChanged':
      return amend(subscription, { methodToken: event.data.methodToken });
  }
}

function start({ anchorDay, nextBillingAt, at: _, ...start }: Started): ActiveSubscription {
  const { planId, amountCents, interval, intervalCount, methodToken } = start;
  const terms = { planId, amountCents, interval, intervalCount };
  const nothingOpen = { change: null, renewal: null, attempts: 0, openInvoice: null };
  const agreement = { start, terms, methodToken, anchorDay, paidUntil: nextBillingAt, ...nothingOpen };
  return { status: 'active', agreement, cancellation: null };
}

function amend<S extends KnownSubscription>(subscription: S, changes: Partial<Agreement>): S {
  return { ...subscription, agreement: { ...subscription.agreement, ...changes } };
}

function beginRenewal({
  subscriptionId: _,
  at: __,
  ...renewal
}: Extract<SubscriptionEvent, { type: 'RenewalStarted' }>['data']): Partial<Agreement> {
  const { attempt, invoiceId, changeId } = renewal;
  return { renewal, attempts: attempt, openInvoice: { invoiceId, changeId } };
}

function renew(subscription: KnownSubscription, { periodEnd, anchorDay }: Renewed): ActiveSubscription {
  const paid = { paidUntil: periodEnd, anchorDay, renewal: null, attempts: 0, openInvoice: null };
  const cancellation = subscription.status === 'active' ? subscription.cancellation : null;
  return { status: 'active', agreement: { ...subscription.agreement, ...paid }, cancellation };
}

/** Without a next retry, SubscriptionCancelled follows. */
function failRenewal(
  subscription: KnownSubscription,
  { firstFailedAt, nextRetryAt }: RenewalFailure,
): KnownSubscription {
  const failed = amend(subscription, { renewal: null });
  const { renewal } = subscription.agreement;
  if (nextRetryAt === null || renewal === null) return failed;
  const { periodStart, anchorDay, requested } = renewal;
  const failedBefore = subscription.status === 'past_due' ? subscription.dunning.failedAttempts : 0;
  const failedAttempts = failedBefore + (requested ? 0 : 1);
  const dunning = { periodStart, anchorDay, failedAttempts, firstFailedAt, nextRetryAt };
  return { status: 'past_due', agreement: failed.agreement, dunning };
}

function scheduleEnd(subscription: KnownSubscription, cancellation: Cancellation | null): KnownSubscription {
  return subscription.status === 'active' || subscription.status === 'paused'
    ? { ...subscription, cancellation }
    : subscription;
}
