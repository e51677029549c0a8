import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Views, type PageOf } from '../../engine/reading/views.js';
import type { CallerContext } from '../../identity/caller.js';
import type { Recorded } from '../../kernel/event.js';
import { idIn, type Projection } from '../../kernel/projection.js';
import type { Where } from '../../kernel/read-models.js';
import { Rejection } from '../../kernel/rejection.js';
import { Standings, userIdOf } from '../standings.js';
import type { CommunityEvent, Tier } from '../domain/community.js';
import type { Rung } from '../domain/levels.js';
import { optionalReference, reference, type Reference } from '../../kernel/reference.js';

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
  readonly levels: readonly Rung[];
  readonly member_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export const communities: Projection<CommunityDocument> = {
  name: 'communities',
  version: 1,
  id: idIn('communityId'),
  indexes: [
    ['business.id', 'created_at'],
    ['owner.id', 'created_at'],
  ],
  totals: [['business.id'], ['owner.id']],
  on: {
    CommunityCreated: (_, { data }: Recorded<string, CommunityEvent['data']>) => created(data),
  },
};

function created(data: CommunityEvent['data']): CommunityDocument {
  const { communityId, name, description, coverImageUrl, tier, owner, businessId, productId, ladder, at } = data;
  return {
    id: communityId,
    object: 'community',
    name,
    description,
    cover_image_url: coverImageUrl,
    tier,
    join_policy: 'open',
    status: 'active',
    owner: reference('user', owner.userId),
    business: optionalReference('business', businessId),
    product: optionalReference('product', productId),
    levels: ladder,
    // The owner is its first member.
    member_count: 1,
    created_at: at,
    updated_at: at,
  };
}

/** The fields that every caller may see. */
export type PublicCommunity = Pick<
  CommunityDocument,
  'id' | 'object' | 'name' | 'description' | 'cover_image_url' | 'tier' | 'status' | 'product' | 'member_count' | 'created_at'
>;

export function publicFields(community: CommunityDocument): PublicCommunity {
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
    private readonly views: Views,
    private readonly standings: Standings,
  ) {}

  async execute({ context, id }: RetrieveCommunity): Promise<CommunityDocument | PublicCommunity> {
    const { standing } = await this.standings.of(id, context);
    const document = await this.views.get(communities, id, context.progress);
    if (document === null) throw Rejection.notFound();
    return standing === 'outsider' ? publicFields(document) : document;
  }
}

/** Lists the communities of the caller's business, or, without a business, the communities that the user owns. */
export class ListCommunities extends Query<PageOf<CommunityDocument>> {
  constructor(
    readonly context: CallerContext,
    readonly paging: { readonly page: number; readonly perPage: number },
  ) {
    super();
  }
}

@QueryHandler(ListCommunities)
export class ListCommunitiesHandler implements IQueryHandler<ListCommunities> {
  constructor(private readonly views: Views) {}

  execute({ context, paging: { page, perPage } }: ListCommunities): Promise<PageOf<CommunityDocument>> {
    const { business } = context.caller;
    const where: Where = business === null ? { 'owner.id': userIdOf(context) } : { 'business.id': business };
    return this.views.page(communities, { where, page, perPage }, context.progress);
  }
}
