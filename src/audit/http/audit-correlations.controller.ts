import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import type { CallerContext } from '../../kernel/caller.js';
import { correlationSchema, RetrieveCorrelation } from '../queries/correlation.queries.js';

@Controller('v1/audit/correlations')
export class AuditCorrelationsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id')
  @Operation('Retrieve what a request caused', correlationSchema, {
    about: 'Takes the `X-Request-Id` of a response. Shows each event with the event that caused it.',
  })
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveCorrelation(context, { id })) };
  }
}
