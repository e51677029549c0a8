import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {} from 'class-validator';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import { FilterText, PageQuery } from '../../http/validation/paging.js';
import type { CallerContext } from '../../identity/caller.js';
import { ForgetBuyer } from '../commands/buyer.commands.js';
import { buyerResourceSchema, buyers } from '../projections/buyers.js';
import { ListBuyers } from '../queries/buyer.queries.js';
import { personalDataSchema, RetrievePersonalData } from '../queries/personal-data.queries.js';

class BuyersQuery extends PageQuery {
  @FilterText()
  email?: string;
}

@Controller('v1/commerce/buyers')
export class BuyersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation('List buyers', buyerResourceSchema)
  list(@Ctx() context: CallerContext, @Query() query: BuyersQuery) {
    return this.queries.execute(new ListBuyers(context, { paging: query, email: query.email ?? null }));
  }

  @Get(':id')
  @Operation('Retrieve a buyer', buyerResourceSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(buyers, context, id)) };
  }

  @Get(':id/personal-data')
  @Operation('Retrieve the personal data of a buyer', personalDataSchema)
  async retrievePersonalData(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrievePersonalData(context, { buyerId: id })) };
  }

  /** Erases the address and names of the buyer in this business; other businesses keep their own. */
  @Delete(':id/personal-data')
  @Operation('Erase the personal data of a buyer', buyerResourceSchema)
  async forget(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new ForgetBuyer(context, { id })) };
  }
}
