import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Access } from '../../http/access.js';
import { Ctx, type RequestContext } from '../../http/context.js';
import { GetBuyerProduct } from '../projections/buyer-products.js';

@Controller('v1/commerce/buyer/products')
@Access('buyer')
export class BuyerProductsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id')
  async retrieve(@Ctx() context: RequestContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new GetBuyerProduct(context, id)) };
  }
}
