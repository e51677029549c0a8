import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../identity/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess, type CommunityViewer, requireMembership } from '../community-access.js';
import { canModerate } from '../domain/community-role.js';
import { MemberAddresses } from '../member-addresses.js';
import { type PointsAwardDocument, pointsAwards } from '../projections/points-awards.js';
import { ShowLeaderboardHandler } from './leaderboard.queries.js';

interface PointsList extends Paging {
  readonly communityId: string;
  /** Undefined: the entries of all members, or of a plain member alone. */
  readonly targetEmail?: string;
}

/** Lists the entries of ledgers. */
export class ListPoints extends ContextQuery<PointsList, PageResult<PointsAwardDocument>, CallerContext> {}

@QueryHandler(ListPoints)
export class ListPointsHandler implements IQueryHandler<ListPoints> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly addresses: MemberAddresses,
    private readonly reader: ReadModelReader,
  ) {}

  async execute({ context, params }: ListPoints): Promise<PageResult<PointsAwardDocument>> {
    const { communityId, targetEmail, page, perPage } = params;
    const viewer = await this.access.require(communityId, context, 'read');
    const userId = await this.findUserId(viewer, targetEmail);
    const where = { 'community.id': communityId, ...(userId !== undefined && { 'user.id': userId }) };
    return this.reader.getPage(pointsAwards, { where, page, perPage }, context.consistency);
  }

  /** Returns the user whose entries are listed; undefined for all users, null when nobody has the address. */
  private async findUserId(viewer: CommunityViewer, address?: string): Promise<string | null | undefined> {
    const seesAll = canModerate(viewer.role);
    const own = seesAll ? undefined : requireMembership(viewer).userId;
    if (address === undefined) return own;

    const target = await this.addresses.find(viewer.community.id, address);
    if (!seesAll && target?.userId !== own)
      throw new Rejection('permission_denied', 'Members can list only their own points.');
    return target?.userId ?? null;
  }
}

export const pointsQueryHandlers = [ListPointsHandler, ShowLeaderboardHandler];
