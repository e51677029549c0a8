import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { leaderboardItemSchema } from '../projections/leaderboard.js';
import { LEADERBOARD_PERIODS, type LeaderboardPeriod, ShowLeaderboard } from '../queries/leaderboard.queries.js';

class LeaderboardQuery extends WidePageQuery {
  @Describe('The days whose points count, in UTC with today: the last 7 (`7d`), the last 30 (`30d`), or `all`.')
  @IsIn(LEADERBOARD_PERIODS)
  period: LeaderboardPeriod = 'all';
}

@Controller('v1/community/communities/:id/leaderboard')
export class LeaderboardController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('Show the leaderboard', leaderboardItemSchema, {
    first: 'most points',
    about: 'Ranks the active members who have points in the period. Members with equal points share a rank.',
  })
  @Rejects('not_a_member')
  show(@Ctx() context: CallerContext, @Param('id') communityId: string, @Query() query: LeaderboardQuery) {
    const { page, perPage, period } = query;
    return this.queries.execute(new ShowLeaderboard(context, { communityId, page, perPage, period }));
  }
}
