import type { NounParts } from '../../engine/area-parts.js';
import { ChallengeAccess } from '../challenge-access.js';
import { challengeHandlers } from '../commands/challenge.commands.js';
import { Challenges } from '../commands/challenges.steps.js';
import { ChallengesController } from '../http/challenges.controller.js';
import { CountChallengeProgress } from '../processes/count-challenge-progress.js';
import { PayChallengeRewards } from '../processes/pay-challenge-rewards.js';
import { challengeEntries } from '../projections/challenge-entries.js';
import { challenges } from '../projections/challenges.js';
import { challengeQueryHandlers } from '../queries/challenge.queries.js';

export const challengeParts: NounParts = {
  controllers: [ChallengesController],
  providers: [ChallengeAccess, Challenges, ...challengeHandlers, ...challengeQueryHandlers],
  projections: [challenges, challengeEntries],
  reactors: [CountChallengeProgress, PayChallengeRewards],
};
