import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ClosedSet, FilterText } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { toCondition } from '../../kernel/conditions.js';
import { RefundPayment } from '../commands/refund.commands.js';
import { REFUND_REASONS, type RefundReason } from '../domain/refund.js';
import { REFUND_STATUSES, refunds, refundSchema } from '../projections/refunds.js';
import { HIDDEN_BUYER_PATH } from '../projections/resources.js';
import { ListSales } from '../queries/sales.queries.js';
import { SalesQuery, toSaleFilters } from './sales-query.js';
import { IsCents, IsCurrency } from './validators.js';

const NOTE_CHARACTERS = 500;

class RefundBody {
  @Describe('The amount that the buyer gets back, in cents; null for all that remains.')
  @IsOptional()
  @IsCents(1)
  amount_cents?: number | null;

  @Describe('The currency of the payment; null stands for it, and another one is refused.')
  @IsOptional()
  @IsCurrency()
  currency?: string | null;

  @Describe('The reason of the refund; null for none.')
  @IsOptional()
  @IsIn(REFUND_REASONS)
  reason?: RefundReason | null;

  @Describe('A text about the refund, for the seller; null for none.', 'Called on Monday.')
  @IsOptional()
  @IsString()
  @MaxLength(NOTE_CHARACTERS)
  note?: string | null;
}

class RefundsQuery extends SalesQuery {
  @Describe('Shows only refunds with one of these statuses.')
  @ClosedSet(REFUND_STATUSES)
  status?: string[];

  @Describe('Shows only refunds of this payment.')
  @FilterText()
  payment_id?: string;

  @Describe('Shows only refunds of the payments of this order.')
  @FilterText()
  order_id?: string;
}

@Controller('v1/commerce')
export class RefundsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost('payments/:id/refunds')
  @Operation('Refund a payment', refundSchema, {
    about:
      'Pays the buyer back, and takes the amount from the balance of the seller. The refund is `pending` while the result of the gateway is not known.',
  })
  @Rejects(
    'payment_not_refundable',
    'payment_already_refunded',
    'refund_amount_exceeds_refundable',
    'payment_disputed',
    'currency_mismatch',
    'insufficient_seller_balance',
    'refund_declined',
  )
  async refund(@Ctx() context: CallerContext, @Param('id') paymentId: string, @Body() body: RefundBody) {
    const { amount_cents: amountCents = null, currency = null, reason = null, note = null } = body;
    const details = { paymentId, amountCents, currency, reason, note };
    return { data: await this.commands.execute(new RefundPayment(context, details)) };
  }

  @Get('refunds')
  @Operation('List refunds', refundSchema)
  list(@Ctx() context: CallerContext, @Query() query: RefundsQuery) {
    const filters = toSaleFilters(query);
    return this.queries.execute(new ListSales(refunds, context, query, filters, toFilter(query), HIDDEN_BUYER_PATH));
  }

  @Get('refunds/:id')
  @Operation('Retrieve a refund', refundSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(refunds, context, id)) };
  }
}

function toFilter({ status, payment_id, order_id }: RefundsQuery) {
  return {
    ...(status && { status: toCondition(status) }),
    ...(payment_id !== undefined && { 'payment.id': payment_id }),
    ...(order_id !== undefined && { 'order.id': order_id }),
  };
}
