import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsHttpsUrl, IsName } from '../../http/validation/validators.js';
import type { CallerContext } from '../../identity/caller.js';
import { CreateCommunity } from '../commands/community.commands.js';
import { type CommunityContent, type Tier, TIERS } from '../domain/community.js';
import { communitySchema, visibleCommunitySchema } from '../projections/communities.js';
import { ListCommunities, RetrieveCommunity } from '../queries/community.queries.js';

class CreateCommunityBody {
  @IsName(120)
  name!: string;

  @IsOptional()
  @IsString()
  @MaxLength(5000)
  description?: string | null;

  @IsOptional()
  @IsHttpsUrl()
  cover_image_url?: string | null;

  @IsOptional()
  @IsIn(TIERS)
  tier?: Tier | null;

  @IsOptional()
  @IsString()
  @Length(1, 128)
  product_id?: string | null;
}

@Controller('v1/community/communities')
export class CommunitiesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation('Create a community', communitySchema)
  async create(@Ctx() context: CallerContext, @Body() body: CreateCommunityBody) {
    return { data: await this.commands.execute(new CreateCommunity(context, toCommunityContent(body))) };
  }

  @Get()
  @Operation('List communities', communitySchema)
  list(@Ctx() context: CallerContext, @Query() query: WidePageQuery) {
    return this.queries.execute(new ListCommunities(context, query));
  }

  @Get(':id')
  @Operation('Retrieve a community', visibleCommunitySchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveCommunity(context, { id })) };
  }
}

function toCommunityContent(body: CreateCommunityBody): CommunityContent {
  const { name, description, cover_image_url, tier, product_id } = body;
  return {
    name,
    description: description ?? null,
    coverImageUrl: cover_image_url ?? null,
    tier: tier ?? 'free',
    productId: product_id ?? null,
  };
}
