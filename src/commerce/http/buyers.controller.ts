import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional } from 'class-validator';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { FilterText, PageQuery } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { ForgetBuyer } from '../commands/buyer.commands.js';
import { buyerResourceSchema, buyers } from '../projections/buyers.js';
import { ListBuyers } from '../queries/buyer.queries.js';
import { personalDataSchema, RetrievePersonalData } from '../queries/personal-data.queries.js';

class BuyersQuery extends PageQuery {
  @Describe('Shows only the buyer with this e-mail address.')
  @FilterText()
  email?: string;
}

class ForgetQuery {
  @Describe(
    'Whether the subscriptions, installments and unsettled payments of the buyer end first (`true`); they refuse the erasure otherwise.',
  )
  @IsOptional()
  @IsIn(['true', 'false'])
  end_charges?: 'true' | 'false';
}

@Controller('v1/commerce/buyers')
export class BuyersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the buyers of carts, offers and orders, the newest first. */
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
  @Operation('Retrieve the personal data of a buyer', personalDataSchema, {
    about: 'Shows what the business has stored about the buyer in this mode.',
  })
  async retrievePersonalData(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrievePersonalData(context, { buyerId: id })) };
  }

  @Delete(':id/personal-data')
  @Operation('Erase the personal data of a buyer', buyerResourceSchema, {
    about:
      'Erases the address and names of the buyer in this business and mode; the open carts of the buyer expire, and the open offers are cancelled. While subscriptions, installments or unsettled payments may still charge the buyer, it is refused, unless `end_charges=true` ends them first. A payment that the gateway cannot cancel is refused then too.',
  })
  @Rejects('buyer_has_active_charges')
  async forget(@Ctx() context: CallerContext, @Param('id') id: string, @Query() query: ForgetQuery) {
    const endCharges = query.end_charges === 'true';
    return { data: await this.commands.execute(new ForgetBuyer(context, { id, endCharges })) };
  }
}
