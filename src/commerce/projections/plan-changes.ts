import type { Projection } from '../../kernel/projection.js';
import { describe, type DocumentOf, nullable, resource } from '../../kernel/schema.js';
import type { SubscriptionEvent } from '../domain/subscription-events.js';
import {
  subscribedPlanSchema,
  type SubscriptionDocument,
  subscriptionFields,
  subscriptions,
  toSubscribedPlan,
} from './subscriptions.js';

/** A subscription whose plan a renewal has changed, with the plan before. */
export const planChangeSchema = resource('SubscriptionWithOldPlan', {
  ...subscriptionFields,
  old_plan: describe(nullable(subscribedPlanSchema), 'The payment plan before the change; null when it is unknown.'),
});

type PlanChangeDocument = SubscriptionDocument & DocumentOf<typeof planChangeSchema>;

/** The data of a public event. It is rendered from the subscription's stream at publication and has no read model. */
export const planChanges: Projection<SubscriptionDocument, SubscriptionEvent> = {
  ...subscriptions,
  name: 'planChanges',
  on: {
    ...subscriptions.on,
    PlanChanged: (subscription, event, id): PlanChangeDocument | null => {
      const changed = subscriptions.on.PlanChanged(subscription, event, id);
      return changed && { ...changed, old_plan: toOldPlan(event.data.from.planId) };
    },
  },
};

function toOldPlan(planId: string | null): PlanChangeDocument['old_plan'] {
  return planId === null ? null : toSubscribedPlan(planId);
}
