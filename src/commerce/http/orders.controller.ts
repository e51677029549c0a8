import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Ctx, type RequestContext } from '../../http/context.js';
import { PageQuery } from '../../http/paging.js';
import { orders } from '../projections/orders.js';
import { ListPage, Retrieve } from '../projections/queries.js';

@Controller('v1/commerce/orders')
export class OrdersController {
  constructor(private readonly queries: QueryBus) {}

  /** Completed orders only; any other is found by its id. */
  @Get()
  list(@Ctx() context: RequestContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListPage(orders, context, query, { status: 'completed' }));
  }

  @Get(':id')
  async retrieve(@Ctx() context: RequestContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(orders, context, id)) };
  }
}
