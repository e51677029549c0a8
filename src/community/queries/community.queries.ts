import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { type CallerContext, requireUserId } from '../../identity/caller.js';
import type { Where } from '../../kernel/read-models.js';
import { requireFound } from '../../kernel/rejection.js';
import { CommunityAccess } from '../community-access.js';
import {
  communities,
  type CommunityDocument,
  type PublicCommunity,
  toPublicCommunity,
} from '../projections/communities.js';

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

/** Lists the communities of the caller's business, or, without a business, the communities that the user owns. */
export class ListCommunities extends ContextQuery<Paging, PageResult<CommunityDocument>, CallerContext> {}

@QueryHandler(ListCommunities)
export class ListCommunitiesHandler implements IQueryHandler<ListCommunities> {
  constructor(private readonly reader: ReadModelReader) {}

  execute({ context, params: { page, perPage } }: ListCommunities): Promise<PageResult<CommunityDocument>> {
    const { business } = context.caller;
    const where: Where = business === null ? { 'owner.id': requireUserId(context) } : { 'business.id': business };
    return this.reader.getPage(communities, { where, page, perPage }, context.consistency);
  }
}
