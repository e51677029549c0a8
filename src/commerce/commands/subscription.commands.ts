import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { createChildContext } from '../../kernel/context.js';
import { requireDocument } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { type SubscriptionCommand, subscriptionDecider } from '../domain/subscription.js';
import type { KnownSubscription } from '../domain/subscription-state.js';
import { calculateDiscount } from '../domain/subscription-terms.js';
import { PaymentGateway } from '../payment-gateway.js';
import { type SubscriptionDocument, subscriptions } from '../projections/subscriptions.js';
import { Amounts } from './amounts.steps.js';
import { assertPaid } from './assert-paid.js';
import { Products } from './products.steps.js';
import { Renewals } from './renewals.steps.js';

export class ChangePlan extends ContextCommand<{ id: string; planId: string }, SubscriptionDocument> {}

@CommandHandler(ChangePlan)
export class ChangePlanHandler implements ICommandHandler<ChangePlan> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly products: Products,
    private readonly amounts: Amounts,
  ) {}

  async execute({ context, params: { id, planId } }: ChangePlan): Promise<SubscriptionDocument> {
    const choosePlan = async (subscription: KnownSubscription) => {
      const plan = await this.products.requireReferencedPlan(planId, context);
      const amountCents = plan.plan.amountCents * subscription.agreement.start.quantity;
      this.amounts.assertChargeable(toCharged(subscription, amountCents, 'plan_id'), context.mode);
      return { type: 'ChangePlan', ...plan } as const;
    };
    return this.streams.edit(subscriptionDecider, subscriptions, id, choosePlan, context);
  }
}

/** Returns the price, and what the discount leaves of it at the next renewal. */
function toCharged({ agreement: { start, paidUntil } }: KnownSubscription, amountCents: number, param: string) {
  const { currency, discount } = start;
  const discounted = amountCents - calculateDiscount({ amountCents }, discount, paidUntil);
  return [...new Set([amountCents, discounted])].map((cents) => ({ amountCents: cents, currency, param }));
}

/** The commands that need no facts of other streams. */
type Edit = Extract<
  SubscriptionCommand,
  { type: 'ChangePrice' | 'WithdrawChange' | 'PauseSubscription' | 'CancelSubscription' | 'RevokeCancellation' }
>;

export class EditSubscription extends ContextCommand<{ id: string; edit: Edit }, SubscriptionDocument> {}

@CommandHandler(EditSubscription)
export class EditSubscriptionHandler implements ICommandHandler<EditSubscription> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly amounts: Amounts,
  ) {}

  async execute({ context, params: { id, edit } }: EditSubscription): Promise<SubscriptionDocument> {
    const check = async (subscription: KnownSubscription) => {
      if (edit.type === 'ChangePrice')
        this.amounts.assertChargeable(toCharged(subscription, edit.amountCents, 'amount_cents'), context.mode);
      return edit;
    };
    return this.streams.edit(subscriptionDecider, subscriptions, id, check, context);
  }
}

/** Resumes within the paid period, or after a successful charge. @throws Rejection payment_failed */
export class ResumeSubscription extends ContextCommand<{ id: string }, SubscriptionDocument> {}

@CommandHandler(ResumeSubscription)
export class ResumeSubscriptionHandler implements ICommandHandler<ResumeSubscription> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly all: Streams,
    private readonly renewals: Renewals,
  ) {}

  async execute({ context, params: { id } }: ResumeSubscription): Promise<SubscriptionDocument> {
    await this.streams.require(subscriptionDecider, id, context);
    assertPaid(await this.renewals.resume(id, null, context));
    return requireDocument(subscriptions, id, await this.all.loadDocument(subscriptionDecider, id, subscriptions));
  }
}

/** Replaces the payment method, and retries the charge of a subscription that is past due. @throws Rejection payment_failed */
export class ChangePaymentMethod extends ContextCommand<{ id: string; methodToken: string }, SubscriptionDocument> {}

@CommandHandler(ChangePaymentMethod)
export class ChangePaymentMethodHandler implements ICommandHandler<ChangePaymentMethod> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly all: Streams,
    private readonly renewals: Renewals,
    private readonly gateway: PaymentGateway,
  ) {}

  async execute({ context, params: { id, methodToken } }: ChangePaymentMethod): Promise<SubscriptionDocument> {
    await this.streams.require(subscriptionDecider, id, context);
    if (!this.gateway.acceptsMethod(methodToken, context.mode))
      throw new Rejection('payment_method_invalid', 'The payment method is unknown.', 'token');
    const change = { type: 'ChangePaymentMethod', methodToken } as const;
    const { status } = await this.streams.edit(subscriptionDecider, subscriptions, id, change, context);
    if (status === 'past_due')
      assertPaid(await this.renewals.run(id, createChildContext(context, 'retry'), true), 'token');
    return requireDocument(subscriptions, id, await this.all.loadDocument(subscriptionDecider, id, subscriptions));
  }
}

export const subscriptionHandlers = [
  ChangePlanHandler,
  EditSubscriptionHandler,
  ResumeSubscriptionHandler,
  ChangePaymentMethodHandler,
];
