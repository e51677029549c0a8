import { Body, Controller, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { FilterText } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { CancelInstallments, ChangeInstallmentMethod } from '../commands/installment.commands.js';
import { orders, orderSchema } from '../projections/orders.js';
import { ListOrders } from '../queries/order.queries.js';
import { MethodBody } from './method-body.js';
import { SalesQuery, toSaleFilters } from './sales-query.js';

class OrdersQuery extends SalesQuery {
  @Describe('Shows only orders with this product in a line.')
  @FilterText()
  product_id?: string;
}

@Controller('v1/commerce/orders')
export class OrdersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation('List completed orders', orderSchema, { about: 'An order in another status can be retrieved by its id.' })
  list(@Ctx() context: CallerContext, @Query() query: OrdersQuery) {
    const list = { paging: query, filters: toSaleFilters(query), productId: query.product_id ?? null };
    return this.queries.execute(new ListOrders(context, list));
  }

  @Get(':id')
  @Operation('Retrieve an order', orderSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(orders, context, id)) };
  }

  @KeyedPost(':id/installments/cancellations')
  @HttpCode(200)
  @Operation('Cancel the installments of an order', orderSchema, {
    about:
      'Ends them at once: no later part is charged. What is paid stays paid. A charge without a result stands: when it succeeds, its part is paid.',
  })
  @Rejects('installments_ended')
  async cancelInstallments(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new CancelInstallments(context, { orderId: id })) };
  }

  @Put(':id/installments/payment-method')
  @Operation('Change the payment method of the installments of an order', orderSchema, {
    about: 'Later parts are charged to this method, and a part that is past due at once.',
  })
  @Rejects('payment_method_invalid', 'installments_ended', 'payment_failed')
  async changeInstallmentMethod(@Ctx() context: CallerContext, @Param('id') id: string, @Body() { token }: MethodBody) {
    const params = { orderId: id, methodToken: token };
    return { data: await this.commands.execute(new ChangeInstallmentMethod(context, params)) };
  }
}
