import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsName, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { CreateChannel, DeleteChannel, EditChannel } from '../commands/channel.commands.js';
import { type ChannelContent, POSTER_GROUPS, VISIBILITIES } from '../domain/channel.js';
import { channelSchema, deletedChannelSchema } from '../projections/channels.js';
import { ListChannels, RetrieveChannel } from '../queries/channel.queries.js';
import { MAX_LEVEL } from './levels.js';

const NAME = 'The name, unique among the live channels of the community in any letter case.';

class ChannelBody {
  @Describe('The topic of the channel; null for none.', 'Questions about the course')
  @IsOptional()
  @IsString()
  @MaxLength(500)
  description?: string | null;

  @Describe(
    'Whether all members see the channel (`public`, also for a new channel without it), or only the owner and moderators (`private`).',
  )
  @OptionalNotNull()
  @IsIn(VISIBILITIES)
  visibility?: ChannelContent['visibility'];

  @Describe(
    'Whether every member who reads the channel may send messages (`everyone`, also for a new channel without it), or only the owner and moderators (`moderators`).',
  )
  @OptionalNotNull()
  @IsIn(POSTER_GROUPS)
  who_can_post?: ChannelContent['whoCanPost'];

  @Describe(
    'The lowest level of a member who may read the channel; 0, also for a new channel without it, admits all members.',
  )
  @OptionalNotNull()
  @IsInt()
  @Min(0)
  @Max(MAX_LEVEL)
  required_level?: number;
}

class CreateChannelBody extends ChannelBody {
  @Describe(NAME)
  @IsName(80)
  name!: string;
}

class EditChannelBody extends ChannelBody {
  @Describe(NAME)
  @OptionalNotNull()
  @IsName(80)
  name?: string;
}

@Controller('v1/community')
export class ChannelsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('communities/:id/channels')
  @Operation('Create a channel', channelSchema, {
    about: 'The owner and moderators create it, under a name that no other channel of the community has.',
  })
  @Rejects('not_a_member', 'permission_denied', 'name_taken', 'community_archived')
  async create(@Ctx() context: CallerContext, @Param('id') communityId: string, @Body() body: CreateChannelBody) {
    const content = { ...DEFAULTS, name: body.name, ...toChannelChanges(body) };
    return { data: await this.commands.execute(new CreateChannel(context, { communityId, content })) };
  }

  @Get('communities/:id/channels')
  @Operation('List channels', channelSchema, { about: 'Shows the channels that the caller may see.' })
  @Rejects('not_a_member')
  list(@Ctx() context: CallerContext, @Param('id') communityId: string, @Query() { page, perPage }: WidePageQuery) {
    return this.queries.execute(new ListChannels(context, { communityId, page, perPage }));
  }

  @Get('channels/:channel_id')
  @Operation('Retrieve a channel', channelSchema)
  @Rejects('insufficient_level')
  async retrieve(@Ctx() context: CallerContext, @Param('channel_id') id: string) {
    return { data: await this.queries.execute(new RetrieveChannel(context, { id })) };
  }

  @Patch('channels/:channel_id')
  @Operation('Edit a channel', channelSchema)
  @Rejects('permission_denied', 'name_taken', 'default_channel_protected', 'community_archived')
  async edit(@Ctx() context: CallerContext, @Param('channel_id') id: string, @Body() body: EditChannelBody) {
    return { data: await this.commands.execute(new EditChannel(context, { id, content: toChannelChanges(body) })) };
  }

  @Delete('channels/:channel_id')
  @Operation('Delete a channel', deletedChannelSchema, {
    about: 'Hides its messages too. The default channel cannot be deleted.',
  })
  @Rejects('permission_denied', 'default_channel_protected')
  async delete(@Ctx() context: CallerContext, @Param('channel_id') id: string) {
    return { data: await this.commands.execute(new DeleteChannel(context, { id })) };
  }
}

const DEFAULTS = { description: null, visibility: 'public', whoCanPost: 'everyone', requiredLevel: 0 } as const;

/** Maps only the fields that the body contains. */
function toChannelChanges({ who_can_post, required_level, ...same }: EditChannelBody): Partial<ChannelContent> {
  return omitUndefined({ ...same, whoCanPost: who_can_post, requiredLevel: required_level });
}
