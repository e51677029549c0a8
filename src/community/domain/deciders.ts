import { challengeDecider } from './challenge.js';
import { challengeEntryDecider } from './challenge-entry.js';
import { channelDecider, channelNameClaims } from './channel.js';
import { commentDecider } from './comment.js';
import { communityDecider } from './community.js';
import { entitlementDecider } from './entitlement.js';
import { inviteAddressClaims, inviteDecider } from './invite.js';
import { inviteQuotaDecider } from './invite-quota.js';
import { libraryDownloadsDecider } from './library-downloads.js';
import { libraryResourceDecider } from './library-resource.js';
import { memberDecider } from './member.js';
import { memberImportDecider } from './member-import.js';
import { membershipDecider } from './membership.js';
import { messageDecider } from './message.js';
import { onboardingCompletionDecider } from './onboarding-completion.js';
import { onboardingTaskDecider } from './onboarding-task.js';
import { pointsDecider } from './points.js';
import { pointsReversalDecider } from './points-reversal.js';
import { pointsSourceDecider } from './points-source.js';
import { postDecider } from './post.js';
import { postLikeDecider } from './post-like.js';

/** The deciders of the area. */
export const communityDeciders = [
  challengeDecider,
  challengeEntryDecider,
  channelDecider,
  channelNameClaims,
  entitlementDecider,
  inviteAddressClaims,
  inviteDecider,
  inviteQuotaDecider,
  libraryDownloadsDecider,
  libraryResourceDecider,
  messageDecider,
  commentDecider,
  communityDecider,
  memberDecider,
  memberImportDecider,
  membershipDecider,
  onboardingCompletionDecider,
  onboardingTaskDecider,
  pointsReversalDecider,
  pointsSourceDecider,
  pointsDecider,
  postDecider,
  postLikeDecider,
] as const;
