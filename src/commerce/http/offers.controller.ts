import { Body, Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { ListPage, Retrieve } from '../../engine/read-models/queries.js';
import { Edit } from '../../engine/streams/edit.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsTime } from '../../http/validation/date-range.js';
import { ClosedSet, PageQuery } from '../../http/validation/paging.js';
import { IsId, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { toCondition } from '../../kernel/conditions.js';
import { CreateOffer, SendOffer } from '../commands/offer.commands.js';
import { offerDecider } from '../domain/offer.js';
import { OFFER_STATUSES } from '../domain/offer-rules.js';
import { offers, offerSchema } from '../projections/offers.js';
import { BuyerBody } from './buyer-body.js';
import { IsCents, IsCurrencyInUse } from './validators.js';

const MESSAGE_CHARACTERS = 2000;

class CreateOfferBody {
  @Describe('The product to offer.')
  @IsId()
  product_id!: string;

  @Describe('The person to whom the product is offered.')
  @IsObject()
  @ValidateNested()
  @Type(() => BuyerBody)
  buyer!: BuyerBody;

  @Describe('The price of one charge in cents, instead of that of the plan.')
  @IsCents()
  amount_cents!: number;

  @Describe('The plan by which the product is bought; null for its first active plan.')
  @IsOptional()
  @IsId()
  plan_id?: string | null;

  @Describe('The currency of the plan; null stands for it, and another one is refused.')
  @IsOptional()
  @IsCurrencyInUse()
  currency?: string | null;

  @Describe('A text for the mail to the buyer; null for none.', 'Thank you for the call. This is your price.')
  @IsOptional()
  @IsString()
  @MaxLength(MESSAGE_CHARACTERS)
  message?: string | null;

  @Describe(
    'The time at which the offer expires unless it is accepted; null for 30 days from now.',
    '2099-12-31T23:59:59.000Z',
  )
  @IsOptional()
  @IsTime()
  expires_at?: string | null;

  @Describe('Whether the offer is sent at once; it is a draft otherwise.', true)
  @OptionalNotNull()
  @IsBoolean()
  send?: boolean;
}

class OffersQuery extends PageQuery {
  @Describe('Shows only offers with one of these statuses.')
  @ClosedSet(OFFER_STATUSES)
  status?: string[];
}

@Controller('v1/commerce/offers')
export class OffersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Operation('Create an offer', offerSchema, { about: 'Offers a product to one buyer at a price of its own.' })
  @Rejects('not_saleable', 'plan_not_available', 'currency_mismatch', 'amount_not_supported')
  async create(@Ctx() context: CallerContext, @Body() body: CreateOfferBody) {
    return { data: await this.commands.execute(new CreateOffer(context, toNewOffer(body))) };
  }

  @Get()
  @Operation('List offers', offerSchema)
  list(@Ctx() context: CallerContext, @Query() query: OffersQuery) {
    const filter = query.status && { status: toCondition(query.status) };
    return this.queries.execute(new ListPage(offers, context, query, filter));
  }

  @Get(':id')
  @Operation('Retrieve an offer', offerSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(offers, context, id)) };
  }

  @KeyedPost(':id/send')
  @HttpCode(200)
  @Operation('Send an offer', offerSchema, {
    about: 'Mails the offer to its buyer. An offer that was sent before stays as it is.',
  })
  @Rejects('offer_not_sendable', 'offer_already_accepted', 'offer_expired')
  async send(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new SendOffer(context, { id, type: 'SendOffer' })) };
  }

  @KeyedPost(':id/resend')
  @HttpCode(200)
  @Operation('Resend an offer', offerSchema, {
    about: 'Mails the offer to its buyer again, at most once in 60 seconds and ten times.',
  })
  @Rejects('offer_not_sendable', 'offer_not_sent', 'offer_already_accepted', 'offer_expired')
  async resend(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new SendOffer(context, { id, type: 'ResendOffer' })) };
  }

  @KeyedPost(':id/cancel')
  @HttpCode(200)
  @Operation('Cancel an offer', offerSchema, { about: 'The buyer can no longer accept it.' })
  @Rejects('offer_already_accepted', 'offer_expired')
  async cancel(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new Edit(offerDecider, offers, context, id, { type: 'CancelOffer' })) };
  }
}

function toNewOffer(body: CreateOfferBody) {
  const { product_id: productId, plan_id: planId = null, buyer, amount_cents: amountCents, currency = null } = body;
  const { message = null, expires_at, send = false } = body;
  const expiresAt = expires_at ? new Date(expires_at).toISOString() : null;
  const { email, name = null } = buyer;
  return { productId, planId, buyer: { email, name }, amountCents, currency, message, expiresAt, send };
}
