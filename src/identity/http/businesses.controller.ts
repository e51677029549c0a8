import { Body, Controller, Get, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import { IsName } from '../../http/validation/validators.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { CreateBusiness } from '../commands/business.commands.js';
import { businessSchema } from '../projections/businesses.js';
import { ListBusinesses } from '../queries/business.queries.js';

export class CreateBusinessBody {
  @Describe('The name by which people recognize the business.')
  @IsName(200)
  name!: string;
}

@Controller('v1/businesses')
@Access('session')
export class BusinessesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Operation('Create a business', businessSchema, { about: 'The caller becomes its owner.' })
  @Rejects('business_limit_reached')
  async create(@Ctx() context: CallerContext, @Body() { name }: CreateBusinessBody) {
    const ownerId = requireUserId(context);
    return { data: await this.commands.execute(new CreateBusiness(context, { name, ownerId })) };
  }

  @Get()
  @Operation('List businesses', businessSchema, { about: 'Shows the businesses that the caller owns.' })
  list(@Ctx() context: CallerContext, @Query() paging: PageQuery) {
    return this.queries.execute(new ListBusinesses(context, { ownerId: requireUserId(context), paging }));
  }
}
