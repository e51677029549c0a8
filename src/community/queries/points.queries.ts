import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess, type CommunityViewer, requireMembership } from '../access/community-access.js';
import { canModerate } from '../domain/community-role.js';
import { MemberAddresses } from '../member-addresses.js';
import { type MemberDocument, members } from '../projections/members.js';
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
    const memberId = await this.findMemberId(viewer, targetEmail);
    const where = { 'community.id': communityId, ...(memberId !== undefined && { _memberId: memberId }) };
    const found = await this.reader.getPage(pointsAwards, { where, page, perPage }, context.consistency);
    return { ...found, data: await this.showCurrentUsers(found.data) };
  }

  /** An entry holds the user and the address of its time; the member has the current ones. */
  private async showCurrentUsers(entries: readonly PointsAwardDocument[]): Promise<PointsAwardDocument[]> {
    const ids = [...new Set(entries.map(({ _memberId }) => _memberId))];
    const found = await this.reader.getExisting(members, ids);
    return entries.map((entry) => {
      const member = found.get(entry._memberId);
      return member === undefined ? entry : { ...entry, user: pickReference(member.user) };
    });
  }

  /** Returns the member whose entries are listed; undefined for all members, null when nobody has the address. */
  private async findMemberId(viewer: CommunityViewer, address?: string): Promise<string | null | undefined> {
    const seesAll = canModerate(viewer.role);
    const own = seesAll ? undefined : requireMembership(viewer).id;
    if (address === undefined) return own;

    const target = await this.addresses.find(viewer.community.id, address);
    if (!seesAll && target?.id !== own)
      throw new Rejection('permission_denied', 'Members can list only their own points.');
    return target?.id ?? null;
  }
}

function pickReference({ object, id, email }: MemberDocument['user']): PointsAwardDocument['user'] {
  return { object, id, email };
}

export const pointsQueryHandlers = [ListPointsHandler, ShowLeaderboardHandler];
