import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { addCounts, publish } from '../../kernel/public-event-definition.js';
import { ChallengeAccess } from '../access/challenge-access.js';
import { challengeHandlers } from '../commands/challenge.commands.js';
import { Challenges } from '../commands/challenges.steps.js';
import { challengeDecider } from '../domain/challenge.js';
import { challengeEntryDecider } from '../domain/challenge-entry.js';
import { ChallengesController } from '../http/challenges.controller.js';
import { CompleteReachedGoals } from '../processes/complete-reached-goals.js';
import { CountChallengeProgress } from '../processes/count-challenge-progress.js';
import { PayChallengeRewards } from '../processes/pay-challenge-rewards.js';
import { challengeEntries, challengeProgressSchema } from '../projections/challenge-entries.js';
import { challengeChanges, challenges, challengeSchema } from '../projections/challenges.js';
import { completeChallenge, completeEndedChallenge } from '../publication-sources.js';
import { challengeQueryHandlers } from '../queries/challenge.queries.js';

export const challengeFeature: Feature = {
  streams: [
    auditStream(challengeDecider, createAuditedResource('challenge', challengeChanges)),
    auditStream(challengeEntryDecider, createAuditedResource('challenge_progress', challengeEntries)),
  ],
  projections: [challenges, challengeEntries],
  publicEvents: [
    publish({
      fact: 'ChallengeEdited',
      type: 'community.challenge.updated',
      summary: 'A challenge was changed',
      description: 'The goal, the reward or the duration of a challenge changed.',
      projection: challenges,
      schema: challengeSchema,
      complete: completeChallenge,
      change: true,
    }),
    publish({
      fact: 'ChallengeStarted',
      type: 'community.challenge.started',
      summary: 'A challenge has started',
      description:
        'The start of a scheduled challenge has come. One that is created or moved after its start has none.',
      projection: challenges,
      schema: challengeSchema,
      complete: addCounts(challenges),
      change: true,
    }),
    publish({
      fact: 'ChallengeEnded',
      type: 'community.challenge.ended',
      summary: 'A challenge has ended',
      description: 'The end of a challenge has come, so later activities no longer count.',
      projection: challenges,
      schema: challengeSchema,
      complete: completeEndedChallenge,
      change: true,
    }),
    publish({
      fact: 'ChallengeCancelled',
      type: 'community.challenge.cancelled',
      summary: 'A challenge was cancelled',
      description: 'A challenge was cancelled and has no result.',
      projection: challenges,
      schema: challengeSchema,
      complete: completeChallenge,
      change: true,
    }),
    publish({
      fact: 'ChallengeCompleted',
      type: 'community.challenge.completed',
      summary: 'A challenge was completed',
      description: 'A member reached the goal of a challenge.',
      projection: challengeEntries,
      schema: challengeProgressSchema,
      change: true,
    }),
    publish({
      fact: 'ChallengeCreated',
      type: 'community.challenge.created',
      summary: 'A challenge was created',
      description: 'A community got a challenge.',
      projection: challenges,
      schema: challengeSchema,
    }),
    publish({
      fact: 'ChallengeJoined',
      type: 'community.challenge.joined',
      summary: 'A member joined a challenge',
      description: 'A member takes part in a challenge.',
      projection: challengeEntries,
      schema: challengeProgressSchema,
    }),
    publish({
      fact: 'ProgressCounted',
      also: ['ProgressWithdrawn'],
      type: 'community.challenge.progressed',
      summary: 'A member made progress',
      description: 'The count of a participant of a challenge changed.',
      projection: challengeEntries,
      schema: challengeProgressSchema,
      floods: true,
      change: true,
    }),
  ],
  controllers: [ChallengesController],
  providers: [ChallengeAccess, Challenges, ...challengeHandlers, ...challengeQueryHandlers],
  reactors: [CountChallengeProgress, CompleteReachedGoals, PayChallengeRewards],
};
