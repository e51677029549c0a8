import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { requireFound } from '../../kernel/rejection.js';
import { ChannelAccess } from '../access/channel-access.js';
import { CommunityAccess } from '../access/community-access.js';
import { channelDecider, VISIBILITIES } from '../domain/channel.js';
import { canModerate } from '../domain/community-role.js';
import { type ChannelDocument, channels } from '../projections/channels.js';

export class RetrieveChannel extends ContextQuery<{ id: string }, ChannelDocument, CallerContext> {}

@QueryHandler(RetrieveChannel)
export class RetrieveChannelHandler implements IQueryHandler<RetrieveChannel> {
  constructor(
    private readonly streams: Streams,
    private readonly access: ChannelAccess,
  ) {}

  async execute({ context, params: { id } }: RetrieveChannel): Promise<ChannelDocument> {
    await this.access.requireLive(id, context, 'read');
    return requireFound(await this.streams.loadDocument(channelDecider, id, channels));
  }
}

interface ChannelList extends Paging {
  readonly communityId: string;
}

/** Lists the live channels that the caller may see. */
export class ListChannels extends ContextQuery<ChannelList, PageResult<ChannelDocument>, CallerContext> {}

@QueryHandler(ListChannels)
export class ListChannelsHandler implements IQueryHandler<ListChannels> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context, params }: ListChannels): Promise<PageResult<ChannelDocument>> {
    const { communityId, page, perPage } = params;
    const { role } = await this.access.require(communityId, context, 'read');
    const visibility = canModerate(role) ? { in: VISIBILITIES } : 'public';
    const where = { 'community.id': communityId, deleted_at: null, visibility };
    return this.reader.getPage(channels, { where, page, perPage }, context.consistency);
  }
}

export const channelQueryHandlers = [RetrieveChannelHandler, ListChannelsHandler];
