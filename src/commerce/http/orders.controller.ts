import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListPage, Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import type { CallerContext } from '../../identity/caller.js';
import { orders, orderSchema } from '../projections/orders.js';

@Controller('v1/commerce/orders')
export class OrdersController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists completed orders only. An order in another status can be retrieved by its id. */
  @Get()
  @Operation('List completed orders', orderSchema)
  list(@Ctx() context: CallerContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListPage(orders, context, query, { status: 'completed' }));
  }

  @Get(':id')
  @Operation('Retrieve an order', orderSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(orders, context, id)) };
  }
}
