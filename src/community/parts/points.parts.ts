import type { NounParts } from '../../engine/area-parts.js';
import { Awards } from '../commands/awards.steps.js';
import { Ledgers } from '../commands/ledgers.steps.js';
import { pointsHandlers } from '../commands/points.commands.js';
import { Reversals } from '../commands/reversals.steps.js';
import { LeaderboardController } from '../http/leaderboard.controller.js';
import { PointsController } from '../http/points.controller.js';
import { AwardReservedPoints } from '../processes/award-reserved-points.js';
import { ReverseRequestedPoints } from '../processes/reverse-requested-points.js';
import { pointsAwards } from '../projections/points-awards.js';
import { pointsQueryHandlers } from '../queries/points.queries.js';
import { RecentLeaderboards } from '../recent-leaderboards.js';

export const pointsParts: NounParts = {
  controllers: [PointsController, LeaderboardController],
  providers: [Awards, Ledgers, Reversals, RecentLeaderboards, ...pointsHandlers, ...pointsQueryHandlers],
  projections: [pointsAwards],
  reactors: [AwardReservedPoints, ReverseRequestedPoints],
};
