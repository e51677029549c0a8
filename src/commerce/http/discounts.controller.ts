import { Body, Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { ListPage } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import { IsIdentifier, OptionalNotNull, Trimmed } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { CreateDiscount, DeleteDiscount } from '../commands/discount.commands.js';
import { DISCOUNT_DURATIONS, type DiscountTerms } from '../domain/discount.js';
import { discounts, discountSchema } from '../projections/discounts.js';

class CreateDiscountBody {
  @Describe('The code that a buyer enters; upper and lower case are the same.', 'SPRING')
  @Trimmed()
  @IsIdentifier(40, 3)
  code!: string;

  @Describe('The percentage by which each charge is reduced.', 20)
  @IsInt()
  @Min(1)
  @Max(100)
  percent_off!: number;

  @Describe(
    'The charges of a subscription or of installments to reduce: the first one (`once`, the default), those of some months (`repeating`), or all (`forever`).',
  )
  @OptionalNotNull()
  @IsIn(DISCOUNT_DURATIONS)
  duration?: DiscountTerms['duration'];

  @Describe(
    'The number of months whose charges are reduced, counted from the first one; required for a repeating discount, and allowed for no other.',
    6,
  )
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(120)
  months?: number | null;
}

@Controller('v1/commerce/discounts')
export class DiscountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Operation('Create a discount', discountSchema, {
    about: 'Its terms never change. Each active discount of the business and the mode has another code.',
  })
  @Rejects('discount_code_taken')
  async create(@Ctx() context: CallerContext, @Body() body: CreateDiscountBody) {
    const { code, percent_off: percentOff, duration = 'once', months = null } = body;
    return { data: await this.commands.execute(new CreateDiscount(context, { code, percentOff, duration, months })) };
  }

  @Get()
  @Operation('List discounts', discountSchema)
  list(@Ctx() context: CallerContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListPage(discounts, context, query));
  }

  @Delete(':id')
  @Operation('Delete a discount', discountSchema, {
    about: 'New orders can no longer use it. Subscriptions and installments that started with it keep it.',
  })
  async delete(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new DeleteDiscount(context, { id })) };
  }
}
