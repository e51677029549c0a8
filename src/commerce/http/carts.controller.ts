import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { IsMetadata } from '../../http/validation/metadata.validator.js';
import { IsId, IsIdentifier, OptionalNotNull, Trimmed } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { withSecret } from '../../kernel/schema.js';
import { CreateCart, EditCart } from '../commands/cart.commands.js';
import type { CartFields } from '../commands/cart-fields.steps.js';
import { normalizeRedirectUrl } from '../domain/thank-you-url.js';
import { cartSchema } from '../projections/carts.js';
import { RetrieveCart } from '../queries/cart.queries.js';
import { BuyerBody, toBuyerFields } from './buyer-body.js';
import { IsCurrencyInUse, IsExternalReference, IsRedirectUrl } from './validators.js';

const CODE_CHARACTERS = 255;

/** The refusals of a request that fills a cart with an offer. */
const OFFER_CODES = [
  'not_saleable',
  'plan_not_available',
  'currency_mismatch',
  'offer_not_sent',
  'offer_already_accepted',
  'offer_expired',
  'offer_cancelled',
  'offer_buyer_mismatch',
] as const;

class CartBody {
  @Describe('The currency of the cart; null lets the first line choose it.')
  @IsOptional()
  @IsCurrencyInUse()
  currency?: string | null;

  @Describe('The person who buys; null removes the buyer.')
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => BuyerBody)
  buyer?: BuyerBody | null;

  @Describe('The code of a discount; null removes the discount.', 'SPRING')
  @IsOptional()
  @Trimmed()
  @IsIdentifier(CODE_CHARACTERS)
  discount_code?: string | null;

  @Describe(
    'The offer that fills the cart with its one line, which cannot be changed; null removes both. A buyer sets it only when creating the cart.',
  )
  @IsOptional()
  @IsId()
  offer_id?: string | null;

  @Describe('The values to store with the cart and its order, instead of all earlier ones; only the seller sets them.')
  @OptionalNotNull()
  @IsMetadata()
  metadata?: Record<string, unknown>;

  @Describe('The id of the cart in another system; null removes it. Only the seller sets it.', 'checkout-1042')
  @IsExternalReference()
  external_reference?: string | null;

  @Describe(
    'The page that the buyer sees after the payment; null removes it. Only the seller sets it.',
    'https://example.com/thanks',
  )
  @IsOptional()
  @IsRedirectUrl()
  redirect_url?: string | null;
}

class CreateCartBody extends CartBody {
  @Describe('The business that sells; required when a signed-in buyer creates the cart.')
  @OptionalNotNull()
  @IsId()
  business_id?: string;
}

@Controller('v1/commerce/carts')
@Access('buyer')
export class CartsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Access('any')
  @Operation('Create a cart', withSecret(cartSchema, 'cart_token'), {
    about: 'The response has the token of the cart, with which a buyer changes the cart and checks it out.',
  })
  @Rejects('permission_denied', 'discount_invalid', ...OFFER_CODES)
  async create(@Ctx() context: CallerContext, @Body() { business_id, ...body }: CreateCartBody) {
    const command = new CreateCart(context, { businessId: business_id ?? null, fields: toCartFields(body) });
    const { document, token } = await this.commands.execute(command);
    return token === null ? { data: document } : ApiResponse.withSecret({ data: document }, { cart_token: token });
  }

  @Get(':id')
  @Operation('Retrieve a cart', cartSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveCart(context, { id })) };
  }

  @Patch(':id')
  @Operation('Edit a cart', cartSchema, { about: 'Changes the fields that the body contains, and keeps the others.' })
  @Rejects('permission_denied', 'discount_invalid', 'amount_not_supported', 'cart_not_open', ...OFFER_CODES)
  async edit(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: CartBody) {
    return { data: await this.commands.execute(new EditCart(context, { id, fields: toCartFields(body) })) };
  }
}

/** Maps only the fields that the body contains. */
function toCartFields({
  buyer,
  discount_code,
  offer_id,
  external_reference,
  redirect_url,
  ...same
}: CartBody): Partial<CartFields> {
  return omitUndefined({
    ...same,
    buyer: toBuyerFields(buyer),
    discountCode: discount_code,
    offerId: offer_id,
    externalReference: external_reference,
    redirectUrl: redirect_url && normalizeRedirectUrl(redirect_url),
  });
}
