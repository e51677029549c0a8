import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import { FilterText } from '../../http/validation/paging.js';
import type { CallerContext } from '../../identity/caller.js';
import { orders, orderSchema } from '../projections/orders.js';
import { ListOrders } from '../queries/order.queries.js';
import { SalesQuery, toSaleFilters } from './sales-query.js';

class OrdersQuery extends SalesQuery {
  @FilterText()
  product_id?: string;
}

@Controller('v1/commerce/orders')
export class OrdersController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists completed orders only. An order in another status can be retrieved by its id. */
  @Get()
  @Operation('List completed orders', orderSchema)
  list(@Ctx() context: CallerContext, @Query() query: OrdersQuery) {
    const list = { paging: query, filters: toSaleFilters(query), productId: query.product_id ?? null };
    return this.queries.execute(new ListOrders(context, list));
  }

  @Get(':id')
  @Operation('Retrieve an order', orderSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(orders, context, id)) };
  }
}
