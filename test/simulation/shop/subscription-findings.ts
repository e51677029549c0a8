import { subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import type { SubscriptionEvent } from '../../../src/commerce/domain/subscription-events.js';
import type { KnownSubscription } from '../../../src/commerce/domain/subscription-state.js';
import { type InvoiceDocument, invoices } from '../../../src/commerce/projections/invoices.js';
import { type PaymentDocument, payments } from '../../../src/commerce/projections/payments.js';
import { extractCategory, fold } from '../../../src/kernel/decider.js';
import type { RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';
import { foldAll } from '../../support/invariants/read-models.js';
import type { BusinessTimes } from './visitors.js';

type History = readonly RecordedOf<SubscriptionEvent>[];

const CHANGE_ENDS: readonly string[] = [
  'ChangeSuperseded',
  'ChangeWithdrawn',
  'ChangeFailed',
  'PlanChanged',
  'PriceChanged',
];

/**
 * Finds work that is overdue at the business time, periods that were skipped or billed twice, invoices that stay open,
 * and lost changes.
 */
export function findSubscriptionErrors(log: readonly RecordedEvent[], times: BusinessTimes): string[] {
  const paid = [...foldAll(payments, log).values()] as readonly PaymentDocument[];
  const open = [...foldAll(invoices, log).values()].filter(isOpen);
  const events = log.filter(({ stream }) => extractCategory(stream) === subscriptionDecider.category) as History;
  const histories = Map.groupBy(events, ({ data }) => data.subscriptionId);
  return [...histories].flatMap(([id, history]) => {
    const subscription = fold(subscriptionDecider, history) as KnownSubscription;
    const own = paid.filter((payment) => payment.kind === 'renewal' && payment.subscription?.id === id);
    return [
      ...findOverdueWork(subscription, times[subscription.agreement.start.mode]),
      ...findForgottenInvoices(
        subscription,
        open.filter((invoice) => invoice.subscription?.id === id),
      ),
      ...findPeriodErrors(history),
      ...findChargeErrors(subscription, history, own),
      ...findChangeErrors(subscription, history),
    ].map((error) => `${id}: ${error}`);
  });
}

function findOverdueWork(subscription: KnownSubscription, now: number): string[] {
  if (subscription.agreement.renewal !== null) return ['a charge has not ended'];
  const due = findDueTime(subscription);
  return due !== null && Date.parse(due) <= now ? [`the timer of ${due} has not run`] : [];
}

/** Only the period that is still unpaid has an open invoice. */
function findForgottenInvoices(
  { agreement: { openInvoice } }: KnownSubscription,
  open: readonly InvoiceDocument[],
): string[] {
  return open.filter(({ id }) => id !== openInvoice?.invoiceId).map(({ id }) => `${id} stays open`);
}

function isOpen(invoice: object | null): invoice is InvoiceDocument {
  return (invoice as InvoiceDocument | null)?.status === 'open';
}

function findDueTime(subscription: KnownSubscription): string | null {
  switch (subscription.status) {
    case 'active':
      return subscription.cancellation?.at ?? subscription.agreement.paidUntil;
    case 'past_due':
      return subscription.dunning.nextRetryAt;
    case 'paused':
      return subscription.cancellation?.at ?? subscription.resumesAt;
    case 'cancelled':
      return null;
  }
}

/** A paid period begins at the end of the one before, or later after a pause. */
function findPeriodErrors(history: History): string[] {
  const errors = [];
  let [paidUntil, wasResumed] = ['', false];
  for (const { type, data } of history) {
    if (type === 'SubscriptionStarted') paidUntil = data.nextBillingAt;
    if (type === 'RenewalStarted') wasResumed ||= data.kind === 'resume';
    if (type !== 'SubscriptionRenewed') continue;
    const follows = wasResumed ? data.periodStart >= paidUntil : data.periodStart === paidUntil;
    if (!follows) errors.push(`the period from ${data.periodStart} follows ${paidUntil}`);
    [paidUntil, wasResumed] = [data.periodEnd, false];
  }
  return errors;
}

/** Each period has one payment. A payment that succeeds after the end of the subscription renews nothing. */
function findChargeErrors({ status }: KnownSubscription, history: History, own: readonly PaymentDocument[]): string[] {
  const renewed = history.flatMap(({ type, data }) => (type === 'SubscriptionRenewed' ? [data.paymentId] : []));
  const succeeded = own.filter((payment) => payment.status === 'succeeded').map(({ id }) => id);
  return [
    ...renewed.filter((id) => id !== null && !succeeded.includes(id)).map((id) => `${id} renewed without success`),
    ...renewed.filter((id, i) => renewed.indexOf(id) !== i).map((id) => `${id} renewed twice`),
    ...(status === 'cancelled' ? [] : succeeded)
      .filter((id) => !renewed.includes(id))
      .map((id) => `${id} was charged and renewed nothing`),
  ];
}

/** A change ends once; the last one may be pending. */
function findChangeErrors({ agreement: { change } }: KnownSubscription, history: History): string[] {
  const ended = history.filter(({ type }) => CHANGE_ENDS.includes(type)) as readonly RecordedEvent<
    string,
    { changeId: string }
  >[];
  return history.flatMap(({ type, data }) => {
    if (type !== 'ChangeScheduled') return [];
    const ends = ended.filter((one) => one.data.changeId === data.changeId).length;
    const expected = change?.changeId === data.changeId ? 0 : 1;
    return ends === expected ? [] : [`${data.changeId} ended ${ends} times`];
  });
}
