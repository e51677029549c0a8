import type { EventOf } from '../../kernel/projection.js';
import { type PublicEventDefinition, publish } from '../../kernel/public-event-definition.js';
import type { RenewalEvent, SubscriptionEvent } from '../domain/subscription-events.js';
import { addOldPlan, planChangeSchema } from '../projections/plan-changes.js';
import { subscriptions, subscriptionSchema } from '../projections/subscriptions.js';

/** The event type, the public type, its summary and its description. */
type Row = readonly [fact: SubscriptionEvent['type'], type: string, summary: string, description: string];

/** The changes of a subscription. */
const ROWS: readonly Row[] = [
  [
    'SubscriptionRenewed',
    'subscription.renewed',
    'A subscription was renewed',
    'A new period of a subscription started.',
  ],
  ['PriceChanged', 'subscription.price_changed', 'A subscription has a new price', 'A renewal billed the new price.'],
  [
    'ChangeScheduled',
    'subscription.change_scheduled',
    'A change was scheduled',
    'A new price or plan applies from the next renewal.',
  ],
  [
    'ChangeSuperseded',
    'subscription.change_superseded',
    'A scheduled change was replaced',
    'Another change replaced a scheduled one.',
  ],
  [
    'ChangeWithdrawn',
    'subscription.change_withdrawn',
    'A scheduled change was withdrawn',
    'A scheduled change was taken back, or the subscription ended before it.',
  ],
  [
    'PaymentMethodChanged',
    'subscription.payment_method_changed',
    'A subscription has another payment method',
    'Later renewals charge another payment method, which the data do not show.',
  ],
  [
    'ChangeFailed',
    'subscription.change_failed',
    'A scheduled change failed',
    'The renewal could not apply a change and billed the current terms.',
  ],
  [
    'SubscriptionPaused',
    'subscription.paused',
    'A subscription was paused',
    'The subscription is not billed until it is resumed.',
  ],
  [
    'SubscriptionResumed',
    'subscription.resumed',
    'A subscription was resumed',
    'A paused subscription is billed again.',
  ],
  [
    'CancellationScheduled',
    'subscription.cancellation_scheduled',
    'A cancellation was scheduled',
    'A subscription will end after its paid period.',
  ],
  [
    'CancellationRevoked',
    'subscription.cancellation_revoked',
    'A cancellation was revoked',
    'A subscription continues after its cancellation was revoked.',
  ],
  [
    'SubscriptionCancelled',
    'subscription.cancelled',
    'A subscription ended',
    'A subscription ended and is no longer billed.',
  ],
];

export const subscriptionPublicEvents: readonly PublicEventDefinition[] = [
  publish({
    fact: 'SubscriptionStarted',
    type: 'subscription.created',
    summary: 'A subscription was created',
    description: 'A completed order started a subscription.',
    projection: subscriptions,
    schema: subscriptionSchema,
  }),
  ...ROWS.map(([fact, type, summary, description]) =>
    publish({ fact, type, summary, description, projection: subscriptions, schema: subscriptionSchema, change: true }),
  ),
  publish({
    fact: 'RenewalFailed',
    type: 'subscription.past_due',
    summary: 'A subscription is past due',
    description: 'The payment for a renewal failed.',
    projection: subscriptions,
    schema: subscriptionSchema,
    only: isFirstFailure,
    change: true,
  }),
  publish({
    fact: 'RenewalFailed',
    type: 'subscription.renewal_failed',
    summary: 'A retry of a renewal failed',
    description: 'Another charge of a subscription that is past due was refused.',
    projection: subscriptions,
    schema: subscriptionSchema,
    change: true,
  }),
  publish({
    fact: 'PlanChanged',
    type: 'subscription.plan_changed',
    summary: 'A subscription has a new plan',
    description: 'A renewal billed the new plan. `old_plan` is null when it is unknown.',
    projection: subscriptions,
    schema: planChangeSchema,
    complete: async (subscription, _, event) => addOldPlan(subscription, event),
    change: true,
  }),
];

function isFirstFailure({ data: { firstFailedAt, nextRetryAt, at } }: EventOf<RenewalEvent, 'RenewalFailed'>): boolean {
  return nextRetryAt !== null && firstFailedAt === at;
}
