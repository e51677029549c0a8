import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsOptional } from 'class-validator';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation } from '../../http/openapi/operation.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { WIDE_PAGE_MAX } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { payments, paymentSchema } from '../projections/payments.js';
import { ListSales } from '../queries/sales.queries.js';
import { SalesQuery, toSaleFilters } from './sales-query.js';

class PaymentsQuery extends SalesQuery {
  @Describe(
    'Shows only payments whose funds were released at this time or later; a date is its first moment in UTC.',
    '2026-01-31',
  )
  @IsOptional()
  @IsDateOrTime()
  cash_flow_from?: string;

  @Describe(
    'Shows only payments whose funds were released at this time or earlier; a date includes its whole day in UTC.',
    '2026-02-07',
  )
  @IsOptional()
  @IsDateOrTime()
  cash_flow_to?: string;

  protected override get maximum(): number {
    return WIDE_PAGE_MAX;
  }
}

@Controller('v1/commerce/payments')
export class PaymentsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('List payments', paymentSchema)
  list(@Ctx() context: CallerContext, @Query() query: PaymentsQuery) {
    const cashFlow = parseDateRange(query.cash_flow_from, query.cash_flow_to, ['cash_flow_from', 'cash_flow_to']);
    const where = { ...(cashFlow !== null && { cash_flow_at: cashFlow }) };
    return this.queries.execute(new ListSales(payments, context, query, toSaleFilters(query), where));
  }

  @Get(':id')
  @Operation('Retrieve a payment', paymentSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(payments, context, id)) };
  }
}
