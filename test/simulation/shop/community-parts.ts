import { ActivateMembers } from '../../../src/community/processes/activate-members.js';
import { AwardReservedPoints } from '../../../src/community/processes/award-reserved-points.js';
import { CountChallengeProgress } from '../../../src/community/processes/count-challenge-progress.js';
import { FinishImports } from '../../../src/community/processes/finish-imports.js';
import { PayChallengeRewards } from '../../../src/community/processes/pay-challenge-rewards.js';
import { ReverseRequestedPoints } from '../../../src/community/processes/reverse-requested-points.js';
import { challengeEntries } from '../../../src/community/projections/challenge-entries.js';
import { challenges } from '../../../src/community/projections/challenges.js';
import { memberImports } from '../../../src/community/projections/member-imports.js';
import { members } from '../../../src/community/projections/members.js';
import { pointsAwards } from '../../../src/community/projections/points-awards.js';
import { posts } from '../../../src/community/projections/posts.js';
import { joinFeatures } from '../../../src/engine/feature.js';
import { type AnyReactor, Registry } from '../../../src/engine/registry.js';
import { identityFeatures } from '../../../src/identity/identity.module.js';
import type { Container } from '../container.js';

const PROCESSES = [
  ActivateMembers,
  AwardReservedPoints,
  CountChallengeProgress,
  PayChallengeRewards,
  ReverseRequestedPoints,
];

/** Registers the members, points, imports and challenges of communities in the process. */
export function wireCommunity(container: Container): void {
  const imports = container.get(FinishImports);
  container.get(Registry).add({
    deciders: joinFeatures(identityFeatures).registrations.deciders,
    projections: [members, pointsAwards, posts, challenges, challengeEntries, memberImports],
    reactors: [...PROCESSES.map((process) => container.get<AnyReactor>(process)), imports],
    jobs: [imports],
  });
}
