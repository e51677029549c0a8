import { Body, Controller, Delete, Param, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsInt, Max, Min } from 'class-validator';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsId, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { AddLine, ChangeLine, RemoveLine } from '../commands/line.commands.js';
import { cartSchema } from '../projections/carts.js';

const MAX_QUANTITY = 100;

class ChangeLineBody {
  @Describe(
    'The plan by which the product is bought. A new line without it has the first active plan of the product; any other line keeps its plan.',
  )
  @OptionalNotNull()
  @IsId()
  plan_id?: string;

  @Describe('How many to buy. A new line without it has 1; any other line keeps its quantity.')
  @OptionalNotNull()
  @IsInt()
  @Min(1)
  @Max(MAX_QUANTITY)
  quantity?: number;
}

class AddLineBody extends ChangeLineBody {
  @Describe('The product to add.')
  @IsId()
  product_id!: string;
}

/** The refusals of a new line, and of another plan or quantity. */
const NEW_LINE_CODES = [
  'not_saleable',
  'plan_not_available',
  'cart_not_open',
  'cart_locked',
  'currency_mismatch',
  'amount_not_supported',
] as const;

/** Every write to a line returns the cart. */
@Controller('v1/commerce/carts/:id/lines')
@Access('buyer')
export class CartLinesController {
  constructor(private readonly commands: CommandBus) {}

  @KeyedPost()
  @Operation('Add a line to a cart', cartSchema, {
    about:
      'The line keeps the current price of the plan, and the first line decides the currency of the cart. Returns the cart.',
  })
  @Rejects(...NEW_LINE_CODES)
  async add(
    @Ctx() context: CallerContext,
    @Param('id') id: string,
    @Body() { product_id, plan_id, quantity = 1 }: AddLineBody,
  ) {
    const line = { cartId: id, productId: product_id, planId: plan_id ?? null, quantity };
    return { data: await this.commands.execute(new AddLine(context, line)) };
  }

  @Patch(':line_id')
  @Operation('Change a line of a cart', cartSchema, { about: 'Changes the plan or the quantity. Returns the cart.' })
  @Rejects(...NEW_LINE_CODES)
  async change(
    @Ctx() context: CallerContext,
    @Param('id') id: string,
    @Param('line_id') lineId: string,
    @Body() { plan_id, quantity }: ChangeLineBody,
  ) {
    const change = { cartId: id, lineId, planId: plan_id ?? null, quantity: quantity ?? null };
    return { data: await this.commands.execute(new ChangeLine(context, change)) };
  }

  @Delete(':line_id')
  @Operation('Remove a line from a cart', cartSchema, { about: 'Returns the cart.' })
  @Rejects('cart_not_open', 'cart_locked')
  async remove(@Ctx() context: CallerContext, @Param('id') id: string, @Param('line_id') lineId: string) {
    return { data: await this.commands.execute(new RemoveLine(context, { cartId: id, lineId })) };
  }
}
