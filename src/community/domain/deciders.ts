import { channelDecider, channelNameClaims } from './channel.js';
import { commentDecider } from './comment.js';
import { communityDecider } from './community.js';
import { libraryDownloadsDecider } from './library-downloads.js';
import { libraryResourceDecider } from './library-resource.js';
import { memberDecider } from './member.js';
import { membershipDecider } from './membership.js';
import { messageDecider } from './message.js';
import { pointsDecider } from './points.js';
import { pointsSourceDecider } from './points-source.js';
import { postDecider } from './post.js';
import { postLikeDecider } from './post-like.js';

/** The deciders of the area. */
export const communityDeciders = [
  channelDecider,
  channelNameClaims,
  libraryDownloadsDecider,
  libraryResourceDecider,
  messageDecider,
  commentDecider,
  communityDecider,
  memberDecider,
  membershipDecider,
  pointsSourceDecider,
  pointsDecider,
  postDecider,
  postLikeDecider,
] as const;
