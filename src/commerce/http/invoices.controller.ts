import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListPage, Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import type { CallerContext } from '../../identity/caller.js';
import { invoices, invoiceSchema } from '../projections/invoices.js';

@Controller('v1/commerce/invoices')
export class InvoicesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('List invoices', invoiceSchema)
  list(@Ctx() context: CallerContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListPage(invoices, context, query));
  }

  @Get(':id')
  @Operation('Retrieve an invoice', invoiceSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(invoices, context, id)) };
  }
}
