import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsHttpsUrl, IsId, IsName, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { ArchiveCommunity, CreateCommunity, EditCommunity, TransferCommunity } from '../commands/community.commands.js';
import {
  type CommunityContent,
  type CommunitySettings,
  JOIN_POLICIES,
  type JoinPolicy,
  type Tier,
  TIERS,
} from '../domain/community.js';
import { communitySchema, visibleCommunitySchema } from '../projections/communities.js';
import { ListCommunities, ListOwnCommunities, RetrieveCommunity } from '../queries/community.queries.js';
import { MAX_LEVEL } from './levels.js';

const MAX_LEVEL_POINTS = 1_000_000_000;

const NAME = 'The name that members see.';
const DESCRIPTION = 'The text about the community; null for none.';
const DESCRIPTION_EXAMPLE = 'A place for gardeners';
const COVER = 'The https address of the cover image; null for none.';
const COVER_EXAMPLE = 'https://example.com/cover.png';

class ListCommunitiesQuery extends WidePageQuery {
  @Describe(
    'The value `me` lists the communities whose active member the caller is, in place of those that the caller manages.',
  )
  @IsOptional()
  @IsIn(['me'])
  member?: 'me';
}

class CreateCommunityBody {
  @Describe(NAME)
  @IsName(120)
  name!: string;

  @Describe(DESCRIPTION, DESCRIPTION_EXAMPLE)
  @IsOptional()
  @IsString()
  @MaxLength(5000)
  description?: string | null;

  @Describe(COVER, COVER_EXAMPLE)
  @IsOptional()
  @IsHttpsUrl()
  cover_image_url?: string | null;

  @Describe('Whether users join for nothing (`free`, the default), or must buy the product first (`paid`).')
  @IsOptional()
  @IsIn(TIERS)
  tier?: Tier | null;

  @Describe(
    'The id of the product that gives access to a paid community; without it, only invited users can join a paid one.',
  )
  @IsOptional()
  @IsString()
  @Length(1, 128)
  product_id?: string | null;
}

class LevelBody {
  @Describe('The number of the level, higher than the one before.')
  @IsInt()
  @Min(1)
  @Max(MAX_LEVEL)
  level!: number;

  @Describe('The lowest balance of points with which a member has the level; 0 for the first level.', 0)
  @IsInt()
  @Min(0)
  @Max(MAX_LEVEL_POINTS)
  points!: number;
}

class EditCommunityBody {
  @Describe(NAME)
  @OptionalNotNull()
  @IsName(120)
  name?: string;

  @Describe(DESCRIPTION, DESCRIPTION_EXAMPLE)
  @IsOptional()
  @IsString()
  @MaxLength(5000)
  description?: string | null;

  @Describe(COVER, COVER_EXAMPLE)
  @IsOptional()
  @IsHttpsUrl()
  cover_image_url?: string | null;

  @Describe('Whether users join for nothing (`free`), or must buy the product first (`paid`).')
  @OptionalNotNull()
  @IsIn(TIERS)
  tier?: Tier;

  @Describe('The id of the product that gives access to a paid community; null for a free one.')
  @IsOptional()
  @IsId()
  product_id?: string | null;

  @Describe('Whether users can join (`open`), or need an invite (`invite`).')
  @OptionalNotNull()
  @IsIn(JOIN_POLICIES)
  join_policy?: JoinPolicy;

  @Describe('The value `active` reopens an archived community.')
  @OptionalNotNull()
  @IsIn(['active'])
  status?: 'active';

  @Describe('The levels of members, with rising numbers and points; they replace the earlier levels.')
  @OptionalNotNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_LEVEL)
  @ValidateNested({ each: true })
  @Type(() => LevelBody)
  levels?: LevelBody[];
}

class TransferCommunityBody {
  @Describe('The id of the user who becomes the owner, an active member.', 'usr_01kg9p6je0grr0rycz01afc5br')
  @IsId()
  user_id!: string;
}

@Controller('v1/community/communities')
export class CommunitiesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation('Create a community', communitySchema, {
    about: 'The user of the caller becomes its owner. It gets a default channel and default onboarding tasks.',
  })
  async create(@Ctx() context: CallerContext, @Body() body: CreateCommunityBody) {
    return { data: await this.commands.execute(new CreateCommunity(context, toCommunityContent(body))) };
  }

  @Get()
  @Operation('List communities', communitySchema, {
    about: 'Shows the communities of the business that the caller acts for, or else those of the user.',
  })
  list(@Ctx() context: CallerContext, @Query() { page, perPage, member }: ListCommunitiesQuery) {
    const List = member === 'me' ? ListOwnCommunities : ListCommunities;
    return this.queries.execute(new List(context, { page, perPage }));
  }

  @Get(':id')
  @Operation('Retrieve a community', visibleCommunitySchema, {
    about: 'A caller who is no member sees its public fields.',
  })
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveCommunity(context, { id })) };
  }

  @Patch(':id')
  @Operation('Edit a community', communitySchema, {
    about: 'The owner edits it, and reopens an archived one with the status `active`.',
  })
  @Rejects('not_a_member', 'permission_denied', 'product_required', 'levels_not_rising', 'community_archived')
  async edit(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: EditCommunityBody) {
    const edit = { id, settings: toSettings(body), reopens: body.status === 'active' };
    return { data: await this.commands.execute(new EditCommunity(context, edit)) };
  }

  @Post(':id/archive')
  @HttpCode(200)
  @Operation('Archive a community', communitySchema, {
    about: 'It can be read, left and cleaned up, until its owner reopens it.',
  })
  @Rejects('not_a_member', 'permission_denied')
  async archive(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new ArchiveCommunity(context, { id })) };
  }

  @Post(':id/transfer')
  @HttpCode(200)
  @Operation('Transfer a community', communitySchema, {
    about: 'Makes another active member the owner. The owner before becomes a moderator.',
  })
  @Rejects('not_a_member', 'permission_denied', 'community_archived')
  async transfer(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: TransferCommunityBody) {
    return { data: await this.commands.execute(new TransferCommunity(context, { id, userId: body.user_id })) };
  }
}

/** Maps only the fields that the body contains. */
function toSettings({
  cover_image_url,
  product_id,
  join_policy,
  status: _,
  ...same
}: EditCommunityBody): Partial<CommunitySettings> {
  return omitUndefined({
    ...same,
    coverImageUrl: cover_image_url,
    productId: product_id,
    joinPolicy: join_policy,
    levels: same.levels?.map(({ level, points }) => ({ level, points })),
  });
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
