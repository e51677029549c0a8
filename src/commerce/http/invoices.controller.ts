import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Ctx, type RequestContext } from '../../http/context.js';
import { PageQuery } from '../../http/paging.js';
import { invoices } from '../projections/invoices.js';
import { ListPage, Retrieve } from '../projections/queries.js';

@Controller('v1/commerce/invoices')
export class InvoicesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  list(@Ctx() context: RequestContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListPage(invoices, context, query));
  }

  @Get(':id')
  async retrieve(@Ctx() context: RequestContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(invoices, context, id)) };
  }
}
