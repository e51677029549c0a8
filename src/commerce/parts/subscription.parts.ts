import type { NounParts } from '../../engine/area-parts.js';
import { Renewals } from '../commands/renewals.steps.js';
import { subscriptionHandlers } from '../commands/subscription.commands.js';
import { SubscriptionChangesController } from '../http/subscription-changes.controller.js';
import { SubscriptionsController } from '../http/subscriptions.controller.js';
import { EndSubscriptions } from '../processes/end-subscriptions.js';
import { FinishRenewals } from '../processes/finish-renewals.js';
import { RenewSubscriptions } from '../processes/renew-subscriptions.js';
import { ResumeSubscriptions } from '../processes/resume-subscriptions.js';
import { ListSubscriptionChangesHandler } from '../queries/subscription-change.queries.js';

export const subscriptionParts: NounParts = {
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
