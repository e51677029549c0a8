import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import type { WhereOf } from '../../kernel/read-models.js';
import { requireFound } from '../../kernel/rejection.js';
import { CommunityAccess } from '../access/community-access.js';
import {
  communities,
  type CommunityDocument,
  type PublicCommunity,
  toPublicCommunity,
} from '../projections/communities.js';
import { members } from '../projections/members.js';

export class RetrieveCommunity extends ContextQuery<
  { id: string },
  CommunityDocument | PublicCommunity,
  CallerContext
> {}

@QueryHandler(RetrieveCommunity)
export class RetrieveCommunityHandler implements IQueryHandler<RetrieveCommunity> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context, params: { id } }: RetrieveCommunity): Promise<CommunityDocument | PublicCommunity> {
    const { role } = await this.access.view(id, context);
    const document = requireFound(await this.reader.get(communities, id, context.consistency));
    return role === 'outsider' ? toPublicCommunity(document) : document;
  }
}

/** Lists the communities whose active member the caller's user is, the latest membership first. */
export class ListOwnCommunities extends ContextQuery<Paging, PageResult<CommunityDocument>, CallerContext> {}

@QueryHandler(ListOwnCommunities)
export class ListOwnCommunitiesHandler implements IQueryHandler<ListOwnCommunities> {
  constructor(private readonly reader: ReadModelReader) {}

  async execute({ context, params: { page, perPage } }: ListOwnCommunities): Promise<PageResult<CommunityDocument>> {
    const where = { 'user.id': requireUserId(context), status: 'active' };
    const request = { where, page, perPage, orderBy: '_createdAt' } as const;
    const { data, pagination } = await this.reader.getPage(members, request, context.consistency);
    const found = data.map(({ community }) => this.reader.get(communities, community.id, context.consistency));
    return { data: (await Promise.all(found)).filter((document) => document !== null), pagination };
  }
}

/** Lists the communities of the caller's business, or, without a business, the communities that the user owns. */
export class ListCommunities extends ContextQuery<Paging, PageResult<CommunityDocument>, CallerContext> {}

@QueryHandler(ListCommunities)
export class ListCommunitiesHandler implements IQueryHandler<ListCommunities> {
  constructor(private readonly reader: ReadModelReader) {}

  execute({ context, params: { page, perPage } }: ListCommunities): Promise<PageResult<CommunityDocument>> {
    const { business } = context.caller;
    const where: WhereOf<CommunityDocument> =
      business === null ? { 'owner.id': requireUserId(context) } : { 'business.id': business };
    return this.reader.getPage(communities, { where, page, perPage }, context.consistency);
  }
}

export const communityQueryHandlers = [RetrieveCommunityHandler, ListOwnCommunitiesHandler, ListCommunitiesHandler];
