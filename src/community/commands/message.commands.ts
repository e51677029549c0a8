import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { ChannelAccess, type ViewedChannel } from '../access/channel-access.js';
import { assertCanDelete, canModerate } from '../domain/community-role.js';
import { type MessageContent, messageDecider } from '../domain/message.js';
import { type MessageDocument, messages } from '../projections/messages.js';

interface Draft extends MessageContent {
  readonly channelId: string;
  readonly replyTo: string | null;
}

export class SendMessage extends ContextCommand<Draft, MessageDocument, CallerContext> {}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly streams: Streams,
    private readonly access: ChannelAccess,
  ) {}

  async execute({ context: request, params: draft }: SendMessage): Promise<MessageDocument> {
    const viewed = await this.access.requireLive(draft.channelId, request, 'participate');
    assertCanPost(viewed);
    const { context } = viewed.viewer;
    const target = draft.replyTo === null ? null : await this.streams.loadState(messageDecider, draft.replyTo);

    const messageId = idOf('msg', context.at, context.commandId);
    const { communityId } = viewed.channel;
    const message = { messageId, communityId, authorId: requireUserId(context), ...draft };
    const command = { type: 'SendMessage', message, target } as const;
    return (await this.streams.execute(messageDecider, messageId, command, context)).render(messages, messageId);
  }
}

function assertCanPost({ channel, viewer }: ViewedChannel): void {
  if (channel.content.whoCanPost === 'moderators' && !canModerate(viewer.role))
    throw new Rejection('posting_restricted', 'Only the owner and moderators post in this channel.');
}

export class EditMessage extends ContextCommand<
  { id: string; content: Partial<MessageContent> },
  MessageDocument,
  CallerContext
> {}

/** Only the author edits a message. */
@CommandHandler(EditMessage)
export class EditMessageHandler implements ICommandHandler<EditMessage> {
  constructor(
    private readonly streams: Streams,
    private readonly access: ChannelAccess,
  ) {}

  async execute({ context: request, params: { id, content } }: EditMessage): Promise<MessageDocument> {
    const { message, viewer } = await this.access.requireMessage(id, request, 'participate');
    if (message.authorId !== requireUserId(request))
      throw new Rejection('permission_denied', 'Only the author of a message can edit it.');
    const command = { type: 'EditMessage', content } as const;
    return (await this.streams.execute(messageDecider, id, command, viewer.context)).render(messages, id);
  }
}

export class DeleteMessage extends ContextCommand<{ id: string }, MessageDocument, CallerContext> {}

@CommandHandler(DeleteMessage)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessage> {
  constructor(
    private readonly streams: Streams,
    private readonly access: ChannelAccess,
  ) {}

  async execute({ context: request, params: { id } }: DeleteMessage): Promise<MessageDocument> {
    const { message, viewer } = await this.access.requireMessage(id, request, 'retract');
    const userId = requireUserId(request);
    assertCanDelete(viewer.role, viewer.community, message.authorId, userId);
    const command = { type: 'DeleteMessage', userId } as const;
    return (await this.streams.execute(messageDecider, id, command, viewer.context)).render(messages, id);
  }
}

export const messageHandlers = [SendMessageHandler, EditMessageHandler, DeleteMessageHandler];
