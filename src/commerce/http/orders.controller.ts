import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Ctx } from '../../http/context.js';
import type { CallerContext } from '../../identity/caller.js';
import { PageQuery } from '../../http/paging.js';
import { Operation } from '../../http/openapi/operation.js';
import { orders } from '../projections/orders.js';
import { ListPage, Retrieve } from '../../engine/reading/queries.js';
import { order } from './orders.shape.js';

@Controller('v1/commerce/orders')
export class OrdersController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists completed orders only. An order in another status can be retrieved by its id. */
  @Get()
  @Operation('List completed orders', order)
  list(@Ctx() context: CallerContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListPage(orders, context, query, { status: 'completed' }));
  }

  @Get(':id')
  @Operation('Retrieve an order', order)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(orders, context, id)) };
  }
}
