import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {} from 'class-validator';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation } from '../../http/openapi/operation.js';
import { ClosedSet, FilterText } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { toCondition } from '../../kernel/conditions.js';
import { INVOICE_KINDS, INVOICE_STATUSES } from '../domain/invoice.js';
import { invoices, invoiceSchema } from '../projections/invoices.js';
import { ListSales } from '../queries/sales.queries.js';
import { SalesQuery, toSaleFilters } from './sales-query.js';

class InvoicesQuery extends SalesQuery {
  @Describe('Shows only invoices with one of these statuses.')
  @ClosedSet(INVOICE_STATUSES)
  status?: string[];

  @Describe('Shows only invoices of these kinds.')
  @ClosedSet(INVOICE_KINDS)
  kind?: string[];

  @Describe('Shows only invoices of this order.')
  @FilterText()
  order_id?: string;

  @Describe('Shows only invoices of this subscription.')
  @FilterText()
  subscription_id?: string;
}

@Controller('v1/commerce/invoices')
export class InvoicesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('List invoices', invoiceSchema)
  list(@Ctx() context: CallerContext, @Query() query: InvoicesQuery) {
    return this.queries.execute(new ListSales(invoices, context, query, toSaleFilters(query), toFilter(query)));
  }

  @Get(':id')
  @Operation('Retrieve an invoice', invoiceSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(invoices, context, id)) };
  }
}

function toFilter({ status, kind, order_id, subscription_id }: InvoicesQuery) {
  return {
    ...(status && { status: toCondition(status) }),
    ...(kind && { kind: toCondition(kind) }),
    ...(order_id !== undefined && { 'order.id': order_id }),
    ...(subscription_id !== undefined && { 'subscription.id': subscription_id }),
  };
}
