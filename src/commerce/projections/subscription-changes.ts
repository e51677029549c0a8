import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  id,
  integer,
  KIND,
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
  plan: describe(subscribedPlanSchema, 'The payment plan.'),
  amount_cents: describe(centsSchema, 'The price of one period before the discount, in cents.'),
  currency,
  interval: describe(enumOf(...INTERVALS), 'The unit of the time between two charges.'),
  interval_count: describe(integer, 'The number of intervals between two charges.'),
});

const requesterSchema = object({
  type: describe(
    enumOf('api_key', 'user', 'system'),
    'Whether a key (`api_key`), a session (`user`) or the service itself (`system`) requested the change.',
  ),
  id: describe(
    string,
    'The id of the key, of the user, or of the part of the service.',
    'key_01kg9p6je0grr0rycz01afc5br',
  ),
});

export const subscriptionChangeSchema = resource('SubscriptionChange', {
  id: describe(id('psc'), 'The id of the change.'),
  object: describe(enumOf('subscription_change'), KIND),
  type: describe(
    enumOf(...CHANGE_KINDS),
    'Whether the plan and its price change (`plan`), or the price alone (`price`).',
  ),
  status: describe(
    enumOf('pending', 'applied', 'superseded', 'withdrawn', 'failed'),
    'Whether the change waits for the next renewal (`pending`), took effect (`applied`), was replaced by another one (`superseded`), was taken back (`withdrawn`), or could not be billed (`failed`).',
  ),
  from: describe(termsSchema, 'The terms before the change.'),
  to: describe(termsSchema, 'The terms after the change.'),
  created_at: describe(dateTime, 'The time at which the change was requested.'),
  effective_at: describe(
    nullable(dateTime),
    'The time at which the new terms took effect, or are to; null while the subscription is paused.',
  ),
  effective_confirmed_at: describe(
    nullable(dateTime),
    'The time at which the first period on the new terms was paid, or null before that.',
  ),
  confirmed_by: describe(
    nullable(
      object({
        object: describe(enumOf('payment', 'invoice'), KIND),
        id: describe(id('(pay|inv)'), 'The id of the payment or the invoice.'),
      }),
    ),
    'The payment of the first period on the new terms, or the invoice of zero for a free plan; null before that.',
  ),
  superseded_by: describe(
    nullable(ref('subscription_change', 'psc')),
    'The later change that replaced this one, or null.',
  ),
  requested_by: describe(requesterSchema, 'The caller who requested the change.'),
  failure: describe(
    optional(
      object({
        code: describe(
          string,
          'The code of the reason: `plan_not_available` for an archived plan, or `payment_failed` after the last retry.',
          'plan_not_available',
        ),
        detail: describe(string, 'The reason in a sentence.', 'The plan was archived.'),
        failed_at: describe(dateTime, 'The time of the failure.'),
      }),
    ),
    'The reason of a failed change; left out on every other.',
  ),
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
