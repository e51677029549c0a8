import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../kernel/caller.js';
import { CommunityAccess, type CommunityViewer } from '../access/community-access.js';
import type { LeaderboardItem } from '../projections/leaderboard.js';
import { type MemberDocument, members } from '../projections/members.js';
import { MemberReader } from '../readers/member-reader.js';
import { RecentRankingReader } from '../readers/recent-ranking-reader.js';

/** The days of each period, today included; null: since the beginning. */
const PERIOD_DAYS = { '7d': 7, '30d': 30, all: null } as const;
export type LeaderboardPeriod = keyof typeof PERIOD_DAYS;
export const LEADERBOARD_PERIODS = Object.keys(PERIOD_DAYS) as readonly LeaderboardPeriod[];

interface Leaderboard extends Paging {
  readonly communityId: string;
  readonly period: LeaderboardPeriod;
}

/** Ranks the active members who have points in a period. Members with equal points share a rank: 1, 2, 2, 4. */
export class ShowLeaderboard extends ContextQuery<Leaderboard, PageResult<LeaderboardItem>, CallerContext> {}

@QueryHandler(ShowLeaderboard)
export class ShowLeaderboardHandler implements IQueryHandler<ShowLeaderboard> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly documents: ReadModelReader,
    private readonly reader: MemberReader,
    private readonly recent: RecentRankingReader,
  ) {}

  async execute({ context, params }: ShowLeaderboard): Promise<PageResult<LeaderboardItem>> {
    const viewer = await this.access.require(params.communityId, context, 'read');
    const days = PERIOD_DAYS[params.period];
    return days === null ? this.rankAll(params, viewer) : this.rankRecent(params, days, viewer);
  }

  private async rankAll({ communityId, page, perPage }: Leaderboard, viewer: CommunityViewer) {
    const where = { 'community.id': communityId, _ranked: true };
    const request = { where, page, perPage, orderBy: 'points' } as const;
    const { consistency } = viewer.context;
    const { data, pagination } = await this.documents.getPage(members, request, consistency);
    const first = data[0];
    if (first === undefined || pagination.current_page === 1) return { data: this.show(data, 1, viewer), pagination };

    const ahead = {
      where: { ...where, points: { from: first.points + 1 } },
      page: 1,
      perPage: 1,
      orderBy: 'points',
    } as const;
    const before = await this.documents.getPage(members, ahead, consistency);
    const offset = (pagination.current_page - 1) * perPage;
    return { data: this.show(data, before.pagination.total_count + 1, viewer, offset), pagination };
  }

  private async rankRecent({ communityId, page, perPage }: Leaderboard, days: number, viewer: CommunityViewer) {
    const ranking = await this.recent.rank(communityId, days, viewer.context.consistency);
    const total = ranking.size;
    const pages = Math.max(1, Math.ceil(total / perPage));
    const current = Math.min(page, pages);
    const offset = (current - 1) * perPage;
    const shown = ranking.getPage(offset, perPage);
    const firstRank = ranking.countAhead(shown[0]?.points ?? 0) + 1;
    const found = await this.documents.getExisting(members, shown.map(({ memberId }) => memberId)); // prettier-ignore
    const data = shown.map(({ memberId, points }) => ({ ...found.get(memberId)!, _shown: points }));
    const pagination = { total_pages: pages, current_page: current, per_page: perPage, total_count: total };
    return { data: this.show(data, firstRank, viewer, offset), pagination };
  }

  private show(
    ranked: readonly (MemberDocument & { readonly _shown?: number })[],
    firstRank: number,
    viewer: CommunityViewer,
    offset = 0,
  ): LeaderboardItem[] {
    let rank = firstRank;
    const findPoints = (i: number) => ranked[i]?._shown ?? ranked[i]?.points;
    return ranked.map((member, i) => {
      if (i > 0 && findPoints(i) !== findPoints(i - 1)) rank = offset + i + 1;
      const { user, level } = this.reader.show(member, viewer);
      return { rank, user, points: findPoints(i)!, level };
    });
  }
}
