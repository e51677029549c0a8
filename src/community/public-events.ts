import { type PublicEventDefinition, publish } from '../kernel/public-event-definition.js';
import { challengeEntries, challengeProgressSchema } from './projections/challenge-entries.js';
import { challengeChanges, challengeChangeSchema } from './projections/challenges.js';
import { channelDeletions, channelDeletionSchema } from './projections/channels.js';
import { communities, communitySchema } from './projections/communities.js';
import { invites, inviteSchema } from './projections/invites.js';
import { libraryDownloads, libraryDownloadSchema } from './projections/library-downloads.js';
import { memberFacts, memberFactsSchema } from './projections/members.js';
import { messages, messageSchema } from './projections/messages.js';
import { completionFactsSchema, onboardingCompletions } from './projections/onboarding-progress.js';
import { pointsAwards, pointsAwardSchema } from './projections/points-awards.js';
import { postDeletions, postDeletionSchema, posts, postSchema } from './projections/posts.js';

/** The public events of the community. */
export const communityPublicEvents: readonly PublicEventDefinition[] = [
  publish({
    fact: 'CommunityCreated',
    type: 'community.created',
    summary: 'A community was created',
    description: 'A business created a community.',
    projection: communities,
    schema: communitySchema,
  }),
  publish({
    fact: 'MemberJoined',
    also: ['MemberActivated', 'MemberRejoined'],
    type: 'community.member.joined',
    summary: 'A member joined',
    description: 'A user joined a community.',
    projection: memberFacts,
    schema: memberFactsSchema,
    only: ({ data }) => data.role !== 'owner' && !('status' in data),
  }),
  publish({
    fact: 'MemberImported',
    type: 'community.member.imported',
    summary: 'A member was imported',
    description: 'An import added a member to a community.',
    projection: memberFacts,
    schema: memberFactsSchema,
  }),
  publish({
    fact: 'ExpertBadgeAssigned',
    type: 'community.member.expert_badge_assigned',
    summary: 'A member became an expert',
    description: 'A member received the expert badge.',
    projection: memberFacts,
    schema: memberFactsSchema,
  }),
  publish({
    fact: 'PostCreated',
    type: 'community.post.created',
    summary: 'A post was created',
    description: 'A member created a post in a community.',
    projection: posts,
    schema: postSchema,
  }),
  publish({
    fact: 'PostDeleted',
    type: 'community.post.deleted',
    summary: 'A post was deleted',
    description: 'A post was removed from a community.',
    projection: postDeletions,
    schema: postDeletionSchema,
    alone: true,
  }),
  publish({
    fact: 'MessageDeleted',
    type: 'community.message.deleted',
    summary: 'A message was deleted',
    description: 'A message was removed from a channel.',
    projection: messages,
    schema: messageSchema,
  }),
  publish({
    fact: 'ChannelDeleted',
    type: 'community.channel.deleted',
    summary: 'A channel was deleted',
    description: 'A channel was removed from a community.',
    projection: channelDeletions,
    schema: channelDeletionSchema,
    alone: true,
  }),
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
  publish({
    fact: 'ChallengeEdited',
    type: 'community.challenge.updated',
    summary: 'A challenge was changed',
    description: 'The goal, the reward or the duration of a challenge changed.',
    projection: challengeChanges,
    schema: challengeChangeSchema,
  }),
  publish({
    fact: 'ChallengeCancelled',
    type: 'community.challenge.cancelled',
    summary: 'A challenge was cancelled',
    description: 'A challenge was cancelled and has no result.',
    projection: challengeChanges,
    schema: challengeChangeSchema,
  }),
  publish({
    fact: 'ChallengeCompleted',
    type: 'community.challenge.completed',
    summary: 'A challenge was completed',
    description: 'A member reached the goal of a challenge.',
    projection: challengeEntries,
    schema: challengeProgressSchema,
  }),
  publish({
    fact: 'LibraryResourceDownloaded',
    type: 'community.library_resource.downloaded',
    summary: 'A resource was downloaded',
    description: 'A member downloaded a library resource.',
    projection: libraryDownloads,
    schema: libraryDownloadSchema,
    alone: true,
  }),
  publish({
    fact: 'OnboardingTaskCompleted',
    type: 'community.onboarding_task.completed',
    summary: 'An onboarding task was completed',
    description: 'A member completed an onboarding task.',
    projection: onboardingCompletions,
    schema: completionFactsSchema,
    alone: true,
  }),
  publish({
    fact: 'InviteDeclined',
    type: 'community.invite.declined',
    summary: 'An invite was declined',
    description: 'An invited user declined to join.',
    projection: invites,
    schema: inviteSchema,
  }),
  publish({
    fact: 'InviteAccepted',
    type: 'community.invite.accepted',
    summary: 'An invite was accepted',
    description: 'An invited user joined the community.',
    projection: invites,
    schema: inviteSchema,
  }),
];
