import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../identity/caller.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import type { Where } from '../../kernel/read-models.js';
import { optionalReference, type Reference, toReference } from '../../kernel/reference.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityRoles, requireUserId } from '../community-roles.js';
import type { CommunityEvent, Tier } from '../domain/community.js';
import type { LevelThreshold } from '../domain/levels.js';

export interface CommunityDocument extends Reference<'community'> {
  readonly name: string;
  readonly description: string | null;
  readonly cover_image_url: string | null;
  readonly tier: Tier;
  readonly join_policy: 'open' | 'invite';
  readonly status: 'active' | 'archived';
  readonly owner: Reference<'user'>;
  readonly business: Reference<'business'> | null;
  readonly product: Reference<'product'> | null;
  readonly levels: readonly LevelThreshold[];
  readonly member_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export const communities: Projection<CommunityDocument> = {
  name: 'communities',
  version: 1,
  id: pickId('communityId'),
  indexes: [
    ['business.id', 'created_at'],
    ['owner.id', 'created_at'],
  ],
  totals: [['business.id'], ['owner.id']],
  on: {
    CommunityCreated: (_, { data }: RecordedEvent<string, CommunityEvent['data']>) => toCommunityDocument(data),
  },
};

function toCommunityDocument(data: CommunityEvent['data']): CommunityDocument {
  const { communityId, name, description, coverImageUrl, tier, owner, businessId, productId, levels, at } = data;
  return {
    id: communityId,
    object: 'community',
    name,
    description,
    cover_image_url: coverImageUrl,
    tier,
    join_policy: 'open',
    status: 'active',
    owner: toReference('user', owner.userId),
    business: optionalReference('business', businessId),
    product: optionalReference('product', productId),
    levels: levels,
    // The owner is its first member.
    member_count: 1,
    created_at: at,
    updated_at: at,
  };
}

/** The fields that every caller may see. */
export type PublicCommunity = Pick<
  CommunityDocument,
  | 'id'
  | 'object'
  | 'name'
  | 'description'
  | 'cover_image_url'
  | 'tier'
  | 'status'
  | 'product'
  | 'member_count'
  | 'created_at'
>;

export function toPublicCommunity(community: CommunityDocument): PublicCommunity {
  const { id, object, name, description, cover_image_url, tier, status, product, member_count, created_at } = community;
  return { id, object, name, description, cover_image_url, tier, status, product, member_count, created_at };
}

export class RetrieveCommunity extends Query<CommunityDocument | PublicCommunity> {
  constructor(
    readonly context: CallerContext,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(RetrieveCommunity)
export class RetrieveCommunityHandler implements IQueryHandler<RetrieveCommunity> {
  constructor(
    private readonly views: ReadModelReader,
    private readonly roles: CommunityRoles,
  ) {}

  async execute({ context, id }: RetrieveCommunity): Promise<CommunityDocument | PublicCommunity> {
    const { role } = await this.roles.resolve(id, context);
    const document = await this.views.get(communities, id, context.consistency);
    if (document === null) throw Rejection.notFound();
    return role === 'outsider' ? toPublicCommunity(document) : document;
  }
}

/** Lists the communities of the caller's business, or, without a business, the communities that the user owns. */
export class ListCommunities extends Query<PageResult<CommunityDocument>> {
  constructor(
    readonly context: CallerContext,
    readonly paging: { readonly page: number; readonly perPage: number },
  ) {
    super();
  }
}

@QueryHandler(ListCommunities)
export class ListCommunitiesHandler implements IQueryHandler<ListCommunities> {
  constructor(private readonly views: ReadModelReader) {}

  execute({ context, paging: { page, perPage } }: ListCommunities): Promise<PageResult<CommunityDocument>> {
    const { business } = context.caller;
    const where: Where = business === null ? { 'owner.id': requireUserId(context) } : { 'business.id': business };
    return this.views.getPage(communities, { where, page, perPage }, context.consistency);
  }
}
