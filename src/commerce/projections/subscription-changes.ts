import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  integer,
  nullable,
  object,
  optional,
  ref,
  resource,
  string,
  type ValueOf,
} from '../../kernel/schema.js';
import { INTERVALS } from '../domain/billing-period.js';
import { CHANGE_KINDS, type SubscriptionChangeEvent } from '../domain/subscription-events.js';
import type { SubscriptionTerms } from '../domain/subscription-terms.js';
import { centsSchema } from './resources.js';
import { subscribedPlanSchema, toSubscribedPlan } from './subscriptions.js';

const termsSchema = object({
  plan: subscribedPlanSchema,
  amount_cents: centsSchema,
  currency,
  interval: enumOf(...INTERVALS),
  interval_count: integer,
});

const requesterSchema = object({ type: enumOf('api_key', 'user', 'system'), id: string });

export const subscriptionChangeSchema = resource('SubscriptionChange', {
  id: id('psc'),
  object: enumOf('subscription_change'),
  type: enumOf(...CHANGE_KINDS),
  status: enumOf('pending', 'applied', 'superseded', 'withdrawn', 'failed'),
  from: termsSchema,
  to: termsSchema,
  created_at: dateTime,
  effective_at: nullable(dateTime),
  effective_confirmed_at: nullable(dateTime),
  /** The payment of the first period on the new terms, or the zero invoice of a free plan. */
  confirmed_by: nullable(object({ object: enumOf('payment', 'invoice'), id: id('(pay|inv)') })),
  superseded_by: nullable(ref('subscription_change', 'psc')),
  requested_by: requesterSchema,
  /** Only on a failed change. */
  failure: optional(object({ code: string, detail: string, failed_at: dateTime })),
});

export interface SubscriptionChangeDocument extends DocumentOf<typeof subscriptionChangeSchema>, Owned {
  readonly _subscription: string;
}

type Event<T extends SubscriptionChangeEvent['type']> = EventOf<SubscriptionChangeEvent, T>;

export const subscriptionChanges: Projection<SubscriptionChangeDocument, SubscriptionChangeEvent> = {
  name: 'subscriptionChanges',
  version: 3,
  id: pickId('changeId'),
  ...declareLists([], [['_subscription']]),
  on: {
    ChangeScheduled: (_, event) => toChangeDocument(event),
    ChangeDeferred: (change, { data }) => change && { ...change, effective_at: data.effectiveAt },
    ChangeSuperseded: (change, { data }) =>
      change && {
        ...change,
        status: 'superseded',
        superseded_by: toReference('subscription_change', data.supersededBy),
      },
    ChangeWithdrawn: (change) => change && { ...change, status: 'withdrawn' },
    ChangeFailed: (change, { data: { code, detail, at } }) =>
      change && { ...change, status: 'failed', failure: { code, detail, failed_at: at } },
    PlanChanged: confirm,
    PriceChanged: confirm,
  },
};

function toChangeDocument({ data, meta }: Event<'ChangeScheduled'>): SubscriptionChangeDocument {
  const { changeId, kind, from, to, effectiveAt, at, currency, businessId, subscriptionId } = data;
  return {
    id: changeId,
    object: 'subscription_change',
    type: kind,
    status: 'pending',
    from: toTermsDocument(from, currency),
    to: toTermsDocument(to, currency),
    created_at: at,
    effective_at: effectiveAt,
    effective_confirmed_at: null,
    confirmed_by: null,
    superseded_by: null,
    // A cart token cannot change a subscription.
    requested_by: meta.actor as ValueOf<typeof requesterSchema>,
    _business: businessId,
    _mode: meta.mode,
    _subscription: subscriptionId,
  };
}

function toTermsDocument(
  { planId, amountCents, interval, intervalCount }: SubscriptionTerms,
  currency: string,
): ValueOf<typeof termsSchema> {
  return {
    plan: toSubscribedPlan(planId),
    amount_cents: amountCents,
    currency,
    interval,
    interval_count: intervalCount,
  };
}

/** A change takes effect with its payment: at a resumption, or before the next retry, this is another time than expected. */
function confirm(
  change: SubscriptionChangeDocument | null,
  { data }: Event<'PlanChanged' | 'PriceChanged'>,
): SubscriptionChangeDocument | null {
  const { paymentId, confirmedAt } = data;
  const invoiceId = 'invoiceId' in data ? data.invoiceId : null;
  return (
    change && {
      ...change,
      status: 'applied',
      effective_at: findEarlier(change.effective_at, confirmedAt),
      effective_confirmed_at: confirmedAt,
      confirmed_by: paymentId === null ? toReference('invoice', invoiceId!) : toReference('payment', paymentId),
    }
  );
}

function findEarlier(expectedAt: string | null, confirmedAt: string): string {
  return expectedAt !== null && expectedAt < confirmedAt ? expectedAt : confirmedAt;
}
