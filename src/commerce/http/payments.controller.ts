import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsOptional, IsString } from 'class-validator';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import type { CallerContext } from '../../identity/caller.js';
import { payments, paymentSchema } from '../projections/payments.js';
import { ListPayments } from '../queries/payment.queries.js';

class PaymentsQuery extends WidePageQuery {
  @IsOptional()
  @IsDateOrTime()
  created_from?: string;

  @IsOptional()
  @IsDateOrTime()
  created_to?: string;

  @IsOptional()
  @IsDateOrTime()
  cash_flow_from?: string;

  @IsOptional()
  @IsDateOrTime()
  cash_flow_to?: string;

  @IsOptional()
  @IsString()
  buyer_email?: string;
}

@Controller('v1/commerce/payments')
export class PaymentsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('List payments', paymentSchema)
  list(@Ctx() context: CallerContext, @Query() query: PaymentsQuery) {
    const created = parseDateRange(query.created_from, query.created_to, ['created_from', 'created_to']);
    const cashFlow = parseDateRange(query.cash_flow_from, query.cash_flow_to, ['cash_flow_from', 'cash_flow_to']);
    const filters = { created, cashFlow, buyerEmail: query.buyer_email ?? null };
    return this.queries.execute(new ListPayments(context, { paging: query, filters }));
  }

  @Get(':id')
  @Operation('Retrieve a payment', paymentSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(payments, context, id)) };
  }
}
