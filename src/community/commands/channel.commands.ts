import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { toComparableName } from '../../kernel/text.js';
import { ChannelAccess } from '../access/channel-access.js';
import { CommunityAccess } from '../access/community-access.js';
import { type ChannelContent, channelDecider, type KnownChannel } from '../domain/channel.js';
import { type ChannelDocument, channels, type DeletedChannel } from '../projections/channels.js';
import { markDeleted } from '../projections/deletions.js';
import { Channels } from './channels.steps.js';

export class CreateChannel extends ContextCommand<
  { communityId: string; content: ChannelContent },
  ChannelDocument,
  CallerContext
> {}

@CommandHandler(CreateChannel)
export class CreateChannelHandler implements ICommandHandler<CreateChannel> {
  constructor(
    private readonly channels: Channels,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context: request, params: { communityId, content } }: CreateChannel): Promise<ChannelDocument> {
    const { context } = await this.access.require(communityId, request, 'moderate');
    const channelId = idOf('chan', context.at, context.commandId);
    const createdBy = requireUserId(context);
    return this.channels.create({ channelId, communityId, isDefault: false, createdBy, ...content }, context);
  }
}

export class EditChannel extends ContextCommand<
  { id: string; content: Partial<ChannelContent> },
  ChannelDocument,
  CallerContext
> {}

@CommandHandler(EditChannel)
export class EditChannelHandler implements ICommandHandler<EditChannel> {
  constructor(
    private readonly streams: Streams,
    private readonly channels: Channels,
    private readonly access: ChannelAccess,
  ) {}

  async execute({ context: request, params: { id, content } }: EditChannel): Promise<ChannelDocument> {
    const { channel, viewer } = await this.access.requireLive(id, request, 'moderate');
    const naming = isRenamed(channel, content.name) ? channel.lastNaming + 1 : null;
    if (naming !== null)
      await this.channels.claimName(channel.communityId, content.name!, { channelId: id, naming }, viewer.context);
    const command = { type: 'EditChannel', content, naming } as const;
    return (await this.streams.execute(channelDecider, id, command, viewer.context)).render(channels, id);
  }
}

/** A name that is compared as the same keeps its claim. */
function isRenamed({ content }: KnownChannel, name: string | undefined): boolean {
  return name !== undefined && toComparableName(name) !== toComparableName(content.name);
}

export class DeleteChannel extends ContextCommand<{ id: string }, DeletedChannel, CallerContext> {}

@CommandHandler(DeleteChannel)
export class DeleteChannelHandler implements ICommandHandler<DeleteChannel> {
  constructor(
    private readonly streams: Streams,
    private readonly access: ChannelAccess,
  ) {}

  async execute({ context: request, params: { id } }: DeleteChannel): Promise<DeletedChannel> {
    const { viewer } = await this.access.require(id, request, 'remove');
    const command = { type: 'DeleteChannel', userId: requireUserId(request) } as const;
    const outcome = await this.streams.execute(channelDecider, id, command, viewer.context);
    return markDeleted(await outcome.render(channels, id));
  }
}

export const channelHandlers = [CreateChannelHandler, EditChannelHandler, DeleteChannelHandler];
