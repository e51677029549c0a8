import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { Renewals } from '../commands/renewals.steps.js';
import { subscriptionHandlers } from '../commands/subscription.commands.js';
import { subscriptionDecider } from '../domain/subscription.js';
import { SubscriptionChangesController } from '../http/subscription-changes.controller.js';
import { SubscriptionsController } from '../http/subscriptions.controller.js';
import { EndSubscriptions } from '../processes/end-subscriptions.js';
import { FinishRenewals } from '../processes/finish-renewals.js';
import { RenewSubscriptions } from '../processes/renew-subscriptions.js';
import { ResumeSubscriptions } from '../processes/resume-subscriptions.js';
import { subscriptionChanges } from '../projections/subscription-changes.js';
import { subscriptions } from '../projections/subscriptions.js';
import { ListSubscriptionChangesHandler } from '../queries/subscription-change.queries.js';
import { subscriptionPublicEvents } from './subscription-public-events.js';

const subscription = createAuditedResource('subscription', subscriptions);
const ofChange = nameByKey(createAuditedResource('subscription_change', subscriptionChanges), 'changeId');

export const subscriptionFeature: Feature = {
  streams: [
    auditStream(subscriptionDecider, subscription, {
      ChangeScheduled: ofChange,
      ChangeDeferred: ofChange,
      ChangeSuperseded: ofChange,
      ChangeWithdrawn: ofChange,
      ChangeFailed: ofChange,
      PlanChanged: ofChange,
      PriceChanged: ofChange,
    }),
  ],
  projections: [subscriptions, subscriptionChanges],
  publicEvents: [...subscriptionPublicEvents],
  controllers: [SubscriptionsController, SubscriptionChangesController],
  providers: [
    Renewals,
    ...subscriptionHandlers,
    ListSubscriptionChangesHandler,
    RenewSubscriptions,
    ResumeSubscriptions,
    EndSubscriptions,
  ],
  reactors: [FinishRenewals],
  jobs: [FinishRenewals],
};
