import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameBy, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { Awards } from '../commands/awards.steps.js';
import { ImportedPoints } from '../commands/imported-points.steps.js';
import { KeptPoints } from '../commands/kept-points.steps.js';
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
import { SettleKeptPoints } from '../processes/settle-kept-points.js';
import { pointsAwards, pointsAwardSchema, publishedAwards } from '../projections/points-awards.js';
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
      also: ['PointsPaid'],
      type: 'community.points.awarded',
      summary: 'Points were awarded',
      description: 'A member received points, or joined and received the points that were kept until then.',
      projection: publishedAwards,
      schema: pointsAwardSchema,
      alone: true,
      only: isPaid,
    }),
    publish({
      fact: 'PointsReversed',
      type: 'community.points.reversed',
      summary: 'Points were reversed',
      description: 'An award of points was reversed.',
      projection: pointsAwards,
      schema: pointsAwardSchema,
      alone: true,
      only: isPaid,
    }),
  ],
  controllers: [PointsController, LeaderboardController],
  providers: [
    Awards,
    ImportedPoints,
    KeptPoints,
    Ledgers,
    Reversals,
    RecentRankingReader,
    ...pointsHandlers,
    ...pointsQueryHandlers,
  ],
  reactors: [AwardReservedPoints, ReverseRequestedPoints, SettleKeptPoints],
};

/** Awards that are kept for a pending member, and their reversals, are not published. */
function isPaid({ data }: { readonly data: { readonly kept?: true } }): boolean {
  return data.kept === undefined;
}
