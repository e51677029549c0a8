import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import type { CallerContext } from '../../kernel/caller.js';
import { checkedOutSchema, CheckOutCart } from '../commands/checkout.commands.js';
import { BuyerBody, toBuyerFields } from './buyer-body.js';
import { IsMethodToken } from './validators.js';

class PaymentMethodBody {
  @Describe('The token of the payment method at the gateway.', 'tok_ok')
  @IsMethodToken()
  token!: string;
}

class CheckOutBody {
  @Describe('The payment method to charge; optional when nothing is due, and kept for later charges.')
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PaymentMethodBody)
  payment_method?: PaymentMethodBody | null;

  @Describe('The person who buys; null or left out for the buyer of the cart.')
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => BuyerBody)
  buyer?: BuyerBody | null;
}

@Controller('v1/commerce/carts/:id/checkout')
@Access('buyer')
export class CheckoutController {
  constructor(private readonly commands: CommandBus) {}

  @KeyedPost()
  @Operation('Check out a cart', checkedOutSchema, {
    about:
      'Charges the payment method, completes the order with its invoice, and starts its subscriptions and installments. After a refused payment the cart is open again. The order is `pending` while the result of the payment is not known.',
  })
  @Rejects(
    'payment_failed',
    'cart_not_open',
    'cart_empty',
    'buyer_required',
    'product_unavailable',
    'discount_invalid',
    'amount_not_supported',
    'offer_already_accepted',
    'offer_expired',
    'offer_cancelled',
    'offer_buyer_mismatch',
  )
  async checkOut(
    @Ctx() context: CallerContext,
    @Param('id') id: string,
    @Body() { payment_method, buyer }: CheckOutBody,
  ) {
    const methodToken = payment_method?.token ?? null;
    const details = { cartId: id, buyer: toBuyerFields(buyer) ?? null, methodToken };
    return { data: await this.commands.execute(new CheckOutCart(context, details)) };
  }
}
