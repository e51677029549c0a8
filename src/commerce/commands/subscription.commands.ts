import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { type SubscriptionCommand, subscriptionDecider } from '../domain/subscription.js';
import { type SubscriptionDocument, subscriptions } from '../projections/subscriptions.js';
import { Products } from './products.steps.js';

export class ChangePlan extends ContextCommand<{ id: string; planId: string }, SubscriptionDocument> {}

@CommandHandler(ChangePlan)
export class ChangePlanHandler implements ICommandHandler<ChangePlan> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly products: Products,
  ) {}

  async execute({ context, params: { id, planId } }: ChangePlan): Promise<SubscriptionDocument> {
    await this.streams.require(subscriptionDecider, id, context);
    const plan = await this.products.requireReferencedPlan(planId, context);
    return this.streams.edit(subscriptionDecider, subscriptions, id, { type: 'ChangePlan', ...plan }, context);
  }
}

/** The commands that need no facts of other streams. */
type Edit = Extract<
  SubscriptionCommand,
  { type: 'ChangePrice' | 'WithdrawChange' | 'PauseSubscription' | 'CancelSubscription' | 'RevokeCancellation' }
>;

export class EditSubscription extends ContextCommand<{ id: string; edit: Edit }, SubscriptionDocument> {}

@CommandHandler(EditSubscription)
export class EditSubscriptionHandler implements ICommandHandler<EditSubscription> {
  constructor(private readonly streams: OwnedStreams) {}

  execute({ context, params: { id, edit } }: EditSubscription): Promise<SubscriptionDocument> {
    return this.streams.edit(subscriptionDecider, subscriptions, id, edit, context);
  }
}

export class ResumeSubscription extends ContextCommand<{ id: string }, SubscriptionDocument> {}

@CommandHandler(ResumeSubscription)
export class ResumeSubscriptionHandler implements ICommandHandler<ResumeSubscription> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly products: Products,
  ) {}

  async execute({ context, params: { id } }: ResumeSubscription): Promise<SubscriptionDocument> {
    const { agreement } = await this.streams.require(subscriptionDecider, id, context);
    const availablePlanIds = await this.products.listAvailablePlanIds(agreement.start.productId);
    const resume = { type: 'ResumeSubscription', resumesAt: null, availablePlanIds } as const;
    return this.streams.edit(subscriptionDecider, subscriptions, id, resume, context);
  }
}

export const subscriptionHandlers = [ChangePlanHandler, EditSubscriptionHandler, ResumeSubscriptionHandler];
