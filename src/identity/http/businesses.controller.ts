import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import { IsName } from '../../http/validation/validators.js';
import type { CallerContext } from '../caller.js';
import { CreateBusiness } from '../commands/business.commands.js';
import { ListBusinesses } from '../projections/businesses.js';
import { businessSchema } from './businesses.schema.js';

export class CreateBusinessBody {
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

  @Post()
  @Operation('Create a business', businessSchema)
  @Rejects('business_limit_reached')
  async create(@Ctx() context: CallerContext, @Body() { name }: CreateBusinessBody) {
    return { data: await this.commands.execute(new CreateBusiness(context, name, context.caller.user!.id)) };
  }

  @Get()
  @Operation('List businesses', businessSchema)
  list(@Ctx() context: CallerContext, @Query() { page, perPage }: PageQuery) {
    return this.queries.execute(new ListBusinesses(context, context.caller.user!.id, page, perPage));
  }
}
