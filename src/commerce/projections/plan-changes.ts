import type { EventOf } from '../../kernel/projection.js';
import { describe, type DocumentOf, nullable, resource } from '../../kernel/schema.js';
import type { SubscriptionEvent } from '../domain/subscription-events.js';
import {
  subscribedPlanSchema,
  type SubscriptionDocument,
  subscriptionFields,
  toSubscribedPlan,
} from './subscriptions.js';

/** A subscription whose plan a renewal has changed, with the plan before. */
export const planChangeSchema = resource('SubscriptionWithOldPlan', {
  ...subscriptionFields,
  old_plan: describe(nullable(subscribedPlanSchema), 'The payment plan before the change; null when it is unknown.'),
});

type PlanChangeDocument = SubscriptionDocument & DocumentOf<typeof planChangeSchema>;

/** Adds the plan before, which the event names and the subscription does not show. */
export function addOldPlan(
  subscription: SubscriptionDocument,
  { data: { from } }: EventOf<SubscriptionEvent, 'PlanChanged'>,
): PlanChangeDocument {
  return { ...subscription, old_plan: from.planId === null ? null : toSubscribedPlan(from.planId) };
}
