import { Body, Controller, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsTime } from '../../http/validation/date-range.js';
import { ClosedSet, FilterText } from '../../http/validation/paging.js';
import { OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { toCondition } from '../../kernel/conditions.js';
import { ChangePaymentMethod, EditSubscription, ResumeSubscription } from '../commands/subscription.commands.js';
import { CANCELLATION_MODES, type CancelSubscription } from '../domain/subscription-cancellation.js';
import { HIDDEN_BUYER_PATH } from '../projections/resources.js';
import { findStates, SUBSCRIPTION_STATUSES, subscriptions, subscriptionSchema } from '../projections/subscriptions.js';
import { ListSales } from '../queries/sales.queries.js';
import { MethodBody } from './method-body.js';
import { SalesQuery, toSaleFilters } from './sales-query.js';

const REASON_CHARACTERS = 500;

class SubscriptionsQuery extends SalesQuery {
  @Describe('Shows only subscriptions with one of these statuses.')
  @ClosedSet(SUBSCRIPTION_STATUSES)
  status?: string[];

  @Describe('Shows only subscriptions to this product.')
  @FilterText()
  product_id?: string;

  @Describe('Shows only subscriptions that are billed by this plan now.')
  @FilterText()
  plan_id?: string;

  @Describe('Shows only subscriptions whose end is scheduled (`true`), or only the others (`false`).')
  @IsOptional()
  @IsIn(['true', 'false'])
  cancelling?: 'true' | 'false';
}

class PauseBody {
  @Describe('The time at which the subscription resumes by itself; null for none.', '2099-12-31T23:59:59.000Z')
  @IsOptional()
  @IsTime()
  resumes_at?: string | null;

  @Describe('The reason of the pause, which is recorded; null for none.', 'The buyer travels.')
  @IsOptional()
  @IsString()
  @MaxLength(REASON_CHARACTERS)
  reason?: string | null;
}

class CancelBody {
  @Describe(
    'Whether the subscription ends after its paid period (`at_period_end`, the default) or at once (`immediately`).',
  )
  @OptionalNotNull()
  @IsIn(CANCELLATION_MODES)
  mode?: CancelSubscription['mode'];

  @Describe('The reason of the cancellation; null for none.', 'The course is over.')
  @IsOptional()
  @IsString()
  @MaxLength(REASON_CHARACTERS)
  reason?: string | null;
}

@Controller('v1/commerce/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation('List subscriptions', subscriptionSchema)
  list(@Ctx() context: CallerContext, @Query() query: SubscriptionsQuery) {
    const [filters, where] = [toSaleFilters(query), toFilter(query)];
    return this.queries.execute(new ListSales(subscriptions, context, query, filters, where, HIDDEN_BUYER_PATH));
  }

  @Get(':id')
  @Operation('Retrieve a subscription', subscriptionSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(subscriptions, context, id)) };
  }

  @KeyedPost(':id/pause')
  @HttpCode(200)
  @Operation('Pause a subscription', subscriptionSchema, { about: 'Nothing is charged until it is resumed.' })
  @Rejects('subscription_not_pausable')
  async pause(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: PauseBody) {
    const resumesAt = body.resumes_at ? new Date(body.resumes_at).toISOString() : null;
    const edit = { type: 'PauseSubscription', resumesAt, reason: body.reason ?? null } as const;
    return { data: await this.commands.execute(new EditSubscription(context, { id, edit })) };
  }

  @KeyedPost(':id/resume')
  @HttpCode(200)
  @Operation('Resume a subscription', subscriptionSchema, {
    about: 'Within the paid period it continues without a charge. After it, a charge starts a new period.',
  })
  @Rejects('subscription_not_paused', 'subscription_cancelling', 'payment_failed')
  async resume(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new ResumeSubscription(context, { id })) };
  }

  @KeyedPost(':id/cancel')
  @HttpCode(200)
  @Operation('Cancel a subscription', subscriptionSchema, {
    about: 'It ends after its paid period, or at once. A subscription that is past due ends at once.',
  })
  @Rejects('subscription_already_cancelled')
  async cancel(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: CancelBody) {
    const { mode = 'at_period_end', reason = null } = body;
    const edit = { type: 'CancelSubscription', mode, reason } as const;
    return { data: await this.commands.execute(new EditSubscription(context, { id, edit })) };
  }

  @Put(':id/payment-method')
  @Operation('Change the payment method of a subscription', subscriptionSchema, {
    about: 'A subscription that is past due is charged again at once.',
  })
  @Rejects('payment_method_invalid', 'subscription_already_cancelled', 'payment_failed')
  async changePaymentMethod(@Ctx() context: CallerContext, @Param('id') id: string, @Body() { token }: MethodBody) {
    return { data: await this.commands.execute(new ChangePaymentMethod(context, { id, methodToken: token })) };
  }

  @KeyedPost(':id/uncancel')
  @HttpCode(200)
  @Operation('Revoke the cancellation of a subscription', subscriptionSchema, {
    about: 'The subscription continues. Only a scheduled end can be revoked.',
  })
  @Rejects('no_scheduled_cancellation')
  async uncancel(@Ctx() context: CallerContext, @Param('id') id: string) {
    const edit = { type: 'RevokeCancellation' } as const;
    return { data: await this.commands.execute(new EditSubscription(context, { id, edit })) };
  }
}

function toFilter({ status, product_id, plan_id, cancelling }: SubscriptionsQuery) {
  const isNarrowed = status !== undefined || cancelling !== undefined;
  if (!isNarrowed && product_id === undefined && plan_id === undefined) return {};
  return {
    _state: toCondition(findStates(status, cancelling && cancelling === 'true')),
    ...(product_id !== undefined && { _product: product_id }),
    ...(plan_id !== undefined && { 'plan.id': plan_id }),
  };
}
