import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import { IsId, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { ChangePlan, EditSubscription } from '../commands/subscription.commands.js';
import { subscriptionChangeSchema } from '../projections/subscription-changes.js';
import { subscriptionSchema } from '../projections/subscriptions.js';
import { ListSubscriptionChanges } from '../queries/subscription-change.queries.js';
import { IsCents, IsCurrency } from './validators.js';

class ChangePlanBody {
  @Describe('An active plan of the same product in the same currency. The current plan withdraws the pending change.')
  @IsId()
  plan_id!: string;
}

class ChangePriceBody {
  @Describe(
    'The price of one period from the next renewal on, before the discount, in cents. The current price withdraws the pending change.',
  )
  @IsCents(1)
  amount_cents!: number;

  @Describe('The currency of the subscription; another one is refused.')
  @OptionalNotNull()
  @IsCurrency()
  currency?: string;
}

@Controller('v1/commerce/subscriptions/:id')
export class SubscriptionChangesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('changes')
  @Operation('List the changes of a subscription', subscriptionChangeSchema, {
    about: 'Shows the changes of plan and price, with what became of each.',
  })
  list(@Ctx() context: CallerContext, @Param('id') subscriptionId: string, @Query() paging: PageQuery) {
    return this.queries.execute(new ListSubscriptionChanges(context, { subscriptionId, paging }));
  }

  @KeyedPost('plan')
  @HttpCode(200)
  @Operation('Change the plan of a subscription', subscriptionSchema, {
    about: 'The next renewal bills the new plan, and nothing is charged before. A pending change is replaced.',
  })
  @Rejects(
    'plan_not_available',
    'amount_not_supported',
    'no_change',
    'subscription_not_active',
    'subscription_cancelling',
  )
  async changePlan(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: ChangePlanBody) {
    return { data: await this.commands.execute(new ChangePlan(context, { id, planId: body.plan_id })) };
  }

  @KeyedPost('price')
  @HttpCode(200)
  @Operation('Change the price of a subscription', subscriptionSchema, {
    about: 'The next renewal bills the new price, and nothing is charged before. A pending change is replaced.',
  })
  @Rejects(
    'currency_mismatch',
    'amount_not_supported',
    'no_change',
    'subscription_not_active',
    'subscription_cancelling',
  )
  async changePrice(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: ChangePriceBody) {
    const { amount_cents: amountCents, currency = null } = body;
    const edit = { type: 'ChangePrice', amountCents, currency } as const;
    return { data: await this.commands.execute(new EditSubscription(context, { id, edit })) };
  }

  @Delete('pending-change')
  @Operation('Withdraw the pending change of a subscription', subscriptionSchema, {
    about: 'The subscription keeps its current plan and price.',
  })
  @Rejects('no_pending_change')
  async withdraw(@Ctx() context: CallerContext, @Param('id') id: string) {
    const edit = { type: 'WithdrawChange' } as const;
    return { data: await this.commands.execute(new EditSubscription(context, { id, edit })) };
  }
}
