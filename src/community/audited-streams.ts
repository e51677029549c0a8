import { type AuditedStream, auditStream, createAuditedResource, nameBy, nameByKey } from '../kernel/audited-stream.js';
import { challengeDecider } from './domain/challenge.js';
import { challengeEntryDecider } from './domain/challenge-entry.js';
import { channelDecider, channelNameClaims } from './domain/channel.js';
import { commentDecider } from './domain/comment.js';
import { communityDecider } from './domain/community.js';
import { entitlementDecider } from './domain/entitlement.js';
import { inviteAddressClaims, inviteDecider } from './domain/invite.js';
import { inviteQuotaDecider } from './domain/invite-quota.js';
import { libraryDownloadsDecider } from './domain/library-downloads.js';
import { libraryResourceDecider } from './domain/library-resource.js';
import { memberDecider } from './domain/member.js';
import { memberImportDecider } from './domain/member-import.js';
import { membershipDecider } from './domain/membership.js';
import { messageDecider } from './domain/message.js';
import { onboardingCompletionDecider } from './domain/onboarding-completion.js';
import { onboardingTaskDecider } from './domain/onboarding-task.js';
import { entryIdOf, pointsDecider, type PointsEvent } from './domain/points.js';
import { pointsReversalDecider } from './domain/points-reversal.js';
import { pointsSourceDecider } from './domain/points-source.js';
import { postDecider } from './domain/post.js';
import { postLikeDecider } from './domain/post-like.js';
import { challengeEntries } from './projections/challenge-entries.js';
import { challengeChanges } from './projections/challenges.js';
import { channels } from './projections/channels.js';
import { comments } from './projections/comments.js';
import { communities } from './projections/communities.js';
import { invites } from './projections/invites.js';
import { libraryDownloads } from './projections/library-downloads.js';
import { libraryResources } from './projections/library-resources.js';
import { memberImports } from './projections/member-imports.js';
import { memberFacts } from './projections/members.js';
import { messages } from './projections/messages.js';
import { onboardingCompletions } from './projections/onboarding-progress.js';
import { onboardingTasks } from './projections/onboarding-tasks.js';
import { pointsAwards } from './projections/points-awards.js';
import { posts } from './projections/posts.js';

const channel = createAuditedResource('channel', channels);
const invite = createAuditedResource('invite', invites);
const libraryDownload = createAuditedResource('library_download', libraryDownloads);
const libraryResource = createAuditedResource('library_resource', libraryResources, [
  'download_count',
  'unique_download_count',
]);
const member = createAuditedResource('community_member', memberFacts);
const pointsAward = createAuditedResource('points_award', pointsAwards);
const post = createAuditedResource('post', posts, ['like_count', 'comment_count']);
const completion = createAuditedResource('onboarding_task_completion', onboardingCompletions);

export const communityAuditedStreams: readonly AuditedStream[] = [
  auditStream(communityDecider, createAuditedResource('community', communities, ['member_count'])),
  auditStream(memberDecider, member),
  auditStream(membershipDecider, nameByKey(member, 'memberId')),
  auditStream(memberImportDecider, createAuditedResource('member_import', memberImports)),
  auditStream(entitlementDecider, createAuditedResource('entitlement')),
  auditStream(inviteDecider, invite),
  auditStream(inviteAddressClaims, nameByKey(invite, 'ownerId')),
  auditStream(inviteQuotaDecider, nameByKey(invite, 'inviteId')),
  auditStream(postDecider, post),
  auditStream(postLikeDecider, nameByKey(post, 'postId')),
  auditStream(commentDecider, createAuditedResource('comment', comments)),
  auditStream(challengeDecider, createAuditedResource('challenge', challengeChanges)),
  auditStream(challengeEntryDecider, createAuditedResource('challenge_progress', challengeEntries)),
  auditStream(channelDecider, channel),
  auditStream(channelNameClaims, nameByKey(channel, 'ownerId')),
  auditStream(messageDecider, createAuditedResource('message', messages)),
  auditStream(libraryResourceDecider, libraryResource),
  auditStream(libraryDownloadsDecider, nameByKey(libraryDownload, 'downloadId')),
  auditStream(onboardingTaskDecider, createAuditedResource('onboarding_task', onboardingTasks)),
  auditStream(onboardingCompletionDecider, nameByKey(completion, 'awardId')),
  auditStream(pointsDecider, nameBy<PointsEvent>(pointsAward, entryIdOf)),
  auditStream(pointsSourceDecider, nameByKey(pointsAward, 'awardId')),
  auditStream(pointsReversalDecider, nameByKey(pointsAward, 'reversalId')),
];
