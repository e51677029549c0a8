import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { CursorPaging } from '../../engine/read-models/queries.js';
import { ReadModelReader, type SliceResult } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { requireFound } from '../../kernel/rejection.js';
import { ChannelAccess } from '../access/channel-access.js';
import { messageDecider } from '../domain/message.js';
import { type MessageDocument, messages } from '../projections/messages.js';

export class RetrieveMessage extends ContextQuery<{ id: string }, MessageDocument, CallerContext> {}

@QueryHandler(RetrieveMessage)
export class RetrieveMessageHandler implements IQueryHandler<RetrieveMessage> {
  constructor(
    private readonly streams: Streams,
    private readonly access: ChannelAccess,
  ) {}

  async execute({ context, params: { id } }: RetrieveMessage): Promise<MessageDocument> {
    await this.access.requireMessage(id, context, 'read');
    return requireFound(await this.streams.loadDocument(messageDecider, id, messages));
  }
}

interface MessageList extends CursorPaging {
  readonly channelId: string;
}

/** Lists the messages of a channel, deleted ones included. */
export class ListMessages extends ContextQuery<MessageList, SliceResult<MessageDocument>, CallerContext> {}

@QueryHandler(ListMessages)
export class ListMessagesHandler implements IQueryHandler<ListMessages> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: ChannelAccess,
  ) {}

  async execute({ context, params }: ListMessages): Promise<SliceResult<MessageDocument>> {
    const { channelId, ...paging } = params;
    await this.access.requireLive(channelId, context, 'read');
    return this.reader.getSlice(messages, { where: { 'channel.id': channelId }, ...paging }, context.consistency);
  }
}

export const messageQueryHandlers = [RetrieveMessageHandler, ListMessagesHandler];
