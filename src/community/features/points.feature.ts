import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameBy, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { Awards } from '../commands/awards.steps.js';
import { Ledgers } from '../commands/ledgers.steps.js';
import { pointsHandlers } from '../commands/points.commands.js';
import { Reversals } from '../commands/reversals.steps.js';
import { entryIdOf, pointsDecider, type PointsEvent } from '../domain/points.js';
import { pointsReversalDecider } from '../domain/points-reversal.js';
import { pointsSourceDecider } from '../domain/points-source.js';
import { LeaderboardController } from '../http/leaderboard.controller.js';
import { PointsController } from '../http/points.controller.js';
import { AwardReservedPoints } from '../processes/award-reserved-points.js';
import { ReverseRequestedPoints } from '../processes/reverse-requested-points.js';
import { pointsAwards, pointsAwardSchema } from '../projections/points-awards.js';
import { pointsQueryHandlers } from '../queries/points.queries.js';
import { RecentRankingReader } from '../readers/recent-ranking-reader.js';

const award = createAuditedResource('points_award', pointsAwards);

export const pointsFeature: Feature = {
  streams: [
    auditStream(pointsDecider, nameBy<PointsEvent>(award, entryIdOf)),
    auditStream(pointsSourceDecider, nameByKey(award, 'awardId')),
    auditStream(pointsReversalDecider, nameByKey(award, 'reversalId')),
  ],
  projections: [pointsAwards],
  publicEvents: [
    publish({
      fact: 'PointsAwarded',
      type: 'community.points.awarded',
      summary: 'Points were awarded',
      description: 'A member received points.',
      projection: pointsAwards,
      schema: pointsAwardSchema,
      alone: true,
    }),
    publish({
      fact: 'PointsReversed',
      type: 'community.points.reversed',
      summary: 'Points were reversed',
      description: 'An award of points was reversed.',
      projection: pointsAwards,
      schema: pointsAwardSchema,
      alone: true,
    }),
  ],
  controllers: [PointsController, LeaderboardController],
  providers: [Awards, Ledgers, Reversals, RecentRankingReader, ...pointsHandlers, ...pointsQueryHandlers],
  reactors: [AwardReservedPoints, ReverseRequestedPoints],
};
