import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import { Access } from '../../http/access.js';
import { Answer } from '../../http/answer.js';
import { MayBeAbsent } from '../../http/fields.js';
import { Ctx } from '../../http/context.js';
import type { CallerContext } from '../../identity/caller.js';
import { IsMetadata } from '../../http/metadata.js';
import { Operation, Refuses } from '../../http/openapi/operation.js';
import { withSecret } from '../../kernel/schema.js';
import { CreateCart, EditCart, type CartFields } from '../commands/cart.commands.js';
import { GetCart, cartSchema } from '../projections/carts.js';
import { BuyerBody, buyerFields } from './buyer-body.js';
import { Currency, ExternalReference, Id, IsRedirectUrl } from './fields.js';

class CartBody {
  @IsOptional()
  @Currency()
  currency?: string | null;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => BuyerBody)
  buyer?: BuyerBody | null;

  @MayBeAbsent()
  @IsMetadata()
  metadata?: Record<string, unknown>;

  @ExternalReference()
  external_reference?: string | null;

  @IsOptional()
  @IsRedirectUrl()
  redirect_url?: string | null;
}

class CreateCartBody extends CartBody {
  /** Required when a signed-in buyer creates the cart. */
  @MayBeAbsent()
  @Id()
  business_id?: string;
}

@Controller('v1/commerce/carts')
@Access('buyer')
export class CartsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Access('any')
  @Operation('Create a cart', withSecret(cartSchema, 'cart_token'))
  async create(@Ctx() context: CallerContext, @Body() { business_id, ...body }: CreateCartBody) {
    const fields = { currency: null, buyer: null, metadata: {}, externalReference: null, redirectUrl: null, ...fieldsOf(body) };
    const { document, token } = await this.commands.execute(new CreateCart(context, business_id ?? null, fields));
    return token === null ? { data: document } : Answer.withSecret({ data: document }, { cart_token: token });
  }

  @Get(':id')
  @Operation('Retrieve a cart', cartSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new GetCart(context, id)) };
  }

  @Patch(':id')
  @Operation('Edit a cart', cartSchema)
  @Refuses('cart_not_open', 'currency_mismatch')
  async edit(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: CartBody) {
    return { data: await this.commands.execute(new EditCart(context, id, fieldsOf(body))) };
  }
}

/** Maps only the fields that the body contains. */
function fieldsOf({ currency, buyer, metadata, external_reference, redirect_url }: CartBody): Partial<CartFields> {
  return {
    ...(currency !== undefined && { currency }),
    ...(buyer !== undefined && { buyer: buyerFields(buyer) }),
    ...(metadata !== undefined && { metadata }),
    ...(external_reference !== undefined && { externalReference: external_reference }),
    ...(redirect_url !== undefined && { redirectUrl: redirect_url }),
  };
}
