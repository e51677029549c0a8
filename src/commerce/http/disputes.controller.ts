import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ClosedSet, FilterText } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { toCondition } from '../../kernel/conditions.js';
import { CloseDispute } from '../commands/dispute.commands.js';
import { DISPUTE_OUTCOMES, DISPUTE_STATUSES, type DisputeOutcome } from '../domain/dispute.js';
import { disputes, disputeSchema } from '../projections/disputes.js';
import { HIDDEN_BUYER_PATH } from '../projections/resources.js';
import { ListSales } from '../queries/sales.queries.js';
import { SalesQuery, toSaleFilters } from './sales-query.js';

class DisputesQuery extends SalesQuery {
  @Describe('Shows only disputes with one of these statuses.')
  @ClosedSet(DISPUTE_STATUSES)
  status?: string[];

  @Describe('Shows only disputes of this payment.')
  @FilterText()
  payment_id?: string;
}

class DisputeOutcomeBody {
  @Describe('Whether the seller has `won` the dispute and gets its money back, or has `lost` it.', 'won')
  @IsIn(DISPUTE_OUTCOMES)
  status!: DisputeOutcome;
}

@Controller('v1/commerce/disputes')
export class DisputesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation('List disputes', disputeSchema)
  list(@Ctx() context: CallerContext, @Query() query: DisputesQuery) {
    const { status, payment_id: paymentId } = query;
    const where = {
      ...(status && { status: toCondition(status) }),
      ...(paymentId !== undefined && { 'payment.id': paymentId }),
    };
    return this.queries.execute(
      new ListSales(disputes, context, query, toSaleFilters(query), where, HIDDEN_BUYER_PATH),
    );
  }

  @Get(':id')
  @Operation('Retrieve a dispute', disputeSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(disputes, context, id)) };
  }

  @Put(':id/outcome')
  @Operation('Close a dispute', disputeSchema, {
    about:
      'Decides a dispute that the simulated gateway has opened, as the bank of the buyer would. Only in test mode. The same outcome again changes nothing.',
  })
  @Rejects('dispute_closed')
  async close(@Ctx() context: CallerContext, @Param('id') disputeId: string, @Body() body: DisputeOutcomeBody) {
    const details = { disputeId, outcome: body.status };
    return { data: await this.commands.execute(new CloseDispute(context, details)) };
  }
}
