import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import type { CallerContext } from '../../identity/caller.js';
import { orders, orderSchema } from '../projections/orders.js';
import { ListSales } from '../queries/sales.queries.js';
import { SalesQuery, toSaleFilters } from './sales-query.js';

@Controller('v1/commerce/orders')
export class OrdersController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists completed orders only. An order in another status can be retrieved by its id. */
  @Get()
  @Operation('List completed orders', orderSchema)
  list(@Ctx() context: CallerContext, @Query() query: SalesQuery) {
    return this.queries.execute(new ListSales(orders, context, query, toSaleFilters(query), { status: 'completed' }));
  }

  @Get(':id')
  @Operation('Retrieve an order', orderSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(orders, context, id)) };
  }
}
