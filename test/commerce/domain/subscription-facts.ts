import type { Plan } from '../../../src/commerce/domain/payment-plan.js';
import { type SubscriptionCommand, subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import type {
  Renewal,
  SubscriptionEvent,
  SubscriptionStart,
} from '../../../src/commerce/domain/subscription-events.js';
import type { KnownSubscription } from '../../../src/commerce/domain/subscription-state.js';
import { fold } from '../../../src/kernel/decider.js';
import { ada, clubPlan, EARLIER, NOW } from './facts.js';

/** The end of the paid period, and of the period after it. */
export const PERIOD_END = '2026-02-28T09:00:00.000Z';
export const NEXT_PERIOD_END = '2026-03-31T09:00:00.000Z';
export const FIRST_RETRY = '2026-03-02T09:00:00.000Z';

export const start: SubscriptionStart = {
  subscriptionId: 'ps_1',
  businessId: 'biz_1',
  mode: 'live',
  orderId: 'ord_1',
  lineItemId: 'li_1',
  productId: 'prod_2',
  planId: 'plan_2',
  buyer: ada,
  quantity: 1,
  amountCents: 4900,
  currency: 'EUR',
  interval: 'month',
  intervalCount: 1,
  discount: null,
  methodToken: 'tok_ok',
  startedAt: EARLIER,
};
export const started = {
  type: 'SubscriptionStarted',
  data: { ...start, anchorDay: 31, nextBillingAt: PERIOD_END, at: EARLIER },
} as const;

export const yearlyPlan: Plan = { ...clubPlan, planId: 'plan_y', amountCents: 49_000, interval: 'year' };
export const availablePlanIds = ['plan_2', 'plan_y'];

export const monthlyTerms = { planId: 'plan_2', amountCents: 4900, interval: 'month', intervalCount: 1 } as const;
export const yearlyTerms = { planId: 'plan_y', amountCents: 49_000, interval: 'year', intervalCount: 1 } as const;

const stamp = { subscriptionId: 'ps_1', at: NOW };

export const planScheduled = {
  type: 'ChangeScheduled',
  data: {
    ...stamp,
    businessId: 'biz_1',
    currency: 'EUR',
    changeId: 'psc_old',
    kind: 'plan',
    from: monthlyTerms,
    to: yearlyTerms,
    effectiveAt: PERIOD_END,
  },
} as const;
export const paused = { type: 'SubscriptionPaused', data: { ...stamp, resumesAt: null, reason: null } } as const;
export const cancellationScheduled = {
  type: 'CancellationScheduled',
  data: { ...stamp, cancelAt: PERIOD_END, reason: 'too dear' },
} as const;
export const cancelled = {
  type: 'SubscriptionCancelled',
  data: { ...stamp, cancelAt: NOW, reason: null, openInvoiceId: null },
} as const;

/** The first attempt of the renewal at the end of the paid period. */
export const renewal: Renewal = {
  kind: 'renewal',
  requested: false,
  periodStart: PERIOD_END,
  periodEnd: NEXT_PERIOD_END,
  anchorDay: 31,
  attempt: 1,
  paymentId: 'pay_1',
  invoiceId: 'inv_1',
  replacedInvoiceId: null,
  terms: monthlyTerms,
  changeId: null,
  amountCents: 4900,
  discountCents: 0,
  methodToken: 'tok_ok',
};
export const renewalStarted = {
  type: 'RenewalStarted',
  data: { subscriptionId: 'ps_1', ...renewal, at: PERIOD_END },
} as const;
export const decline = { code: 'card_declined', detail: 'The card was declined.', hard: false };
export const renewalFailed = {
  type: 'RenewalFailed',
  data: {
    subscriptionId: 'ps_1',
    attempt: 1,
    paymentId: 'pay_1',
    invoiceId: 'inv_1',
    ...decline,
    firstFailedAt: PERIOD_END,
    nextRetryAt: FIRST_RETRY,
    at: PERIOD_END,
  },
} as const;

/** Runs commands on a subscription, each at its time. */
export class SubscriptionHistory {
  readonly events: SubscriptionEvent[];
  private created = 0;

  constructor(...events: readonly SubscriptionEvent[]) {
    this.events = [...events];
  }

  get known(): KnownSubscription {
    return fold(subscriptionDecider, this.events) as KnownSubscription;
  }

  /** Returns the events of the command. */
  run(now: string, command: SubscriptionCommand): readonly SubscriptionEvent[] {
    const createId = (prefix: string) => `${prefix}_${++this.created}`;
    const decided = subscriptionDecider.decide(command, this.known, { now, createId });
    this.events.push(...decided);
    return decided;
  }

  /** Starts the charge of the period, and records its result at the same time. */
  renew(
    now: string,
    result: 'paid' | 'declined' | 'lost_card',
    plans = availablePlanIds,
  ): readonly SubscriptionEvent[] {
    return [...this.startRenewal(now, plans), ...this.settle(now, result)];
  }

  startRenewal(now: string, plans = availablePlanIds): readonly SubscriptionEvent[] {
    const { known } = this;
    return this.run(now, {
      type: 'StartRenewal',
      periodStart: known.status === 'past_due' ? known.dunning.periodStart : known.agreement.paidUntil,
      attempt: known.agreement.attempts + 1,
      requested: false,
      availablePlanIds: plans,
    });
  }

  /** Records the result of the started charge. */
  settle(now: string, result: 'paid' | 'declined' | 'lost_card'): readonly SubscriptionEvent[] {
    const { invoiceId, paymentId } = this.known.agreement.renewal!;
    const payment = paymentId === null ? null : { paymentId, paidAt: now };
    if (result === 'paid') return this.run(now, { type: 'RecordRenewal', invoiceId, payment });
    const failure = result === 'declined' ? decline : { ...decline, code: 'lost_card', hard: true };
    return this.run(now, { type: 'FailRenewal', invoiceId, paymentId, ...failure });
  }
}

export function typesOf(events: readonly SubscriptionEvent[]): string[] {
  return events.map(({ type }) => type);
}

/** Returns the data of the first event of this type. */
export function dataOf(events: readonly SubscriptionEvent[], type: SubscriptionEvent['type']): object {
  return events.find((event) => event.type === type)!.data;
}
