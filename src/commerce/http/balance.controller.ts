import { Body, Controller, Get, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ListPage } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { PayOut } from '../commands/payout.commands.js';
import { balanceSchema } from '../projections/balances.js';
import { payouts, payoutSchema } from '../projections/payouts.js';
import { RetrieveBalance } from '../queries/balance.queries.js';
import { IsCents, IsCurrency } from './validators.js';

class PayoutBody {
  @Describe('The amount to pay the seller in cents, at most the balance in the currency.')
  @IsCents(1)
  amount_cents!: number;

  @Describe('The currency of the balance.')
  @IsCurrency()
  currency!: string;
}

@Controller('v1/commerce')
export class BalanceController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('balance')
  @Operation('Retrieve the balance', balanceSchema, {
    about:
      'The balance of a currency is the net amount of its sales less refunds, payouts and the disputes that are open or lost, which also take the fees of the gateway.',
  })
  async balance(@Ctx() context: CallerContext) {
    return { data: await this.queries.execute(new RetrieveBalance(context, {})) };
  }

  @KeyedPost('payouts')
  @Operation('Pay out', payoutSchema, {
    about: 'Takes the amount from the balance of the seller, which does not have the money of an open or lost dispute.',
  })
  @Rejects('insufficient_seller_balance')
  async payOut(@Ctx() context: CallerContext, @Body() { amount_cents: amountCents, currency }: PayoutBody) {
    return { data: await this.commands.execute(new PayOut(context, { amountCents, currency })) };
  }

  @Get('payouts')
  @Operation('List payouts', payoutSchema)
  list(@Ctx() context: CallerContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListPage(payouts, context, query));
  }
}
