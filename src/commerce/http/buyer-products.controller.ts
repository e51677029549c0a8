import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import type { CallerContext } from '../../kernel/caller.js';
import { buyerProductSchema, RetrieveBuyerProduct } from '../queries/buyer-product.queries.js';

@Controller('v1/commerce/buyer/products')
@Access('buyer')
export class BuyerProductsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id')
  @Operation('Retrieve a product as a buyer', buyerProductSchema, {
    about: 'Shows the product as buyers see it, and says whether it can be bought.',
  })
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveBuyerProduct(context, { id })) };
  }
}
