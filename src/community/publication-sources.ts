import type { PublicationSources } from '../kernel/public-event-definition.js';
import { communityDecider } from './domain/community.js';
import { calculateLevel } from './domain/levels.js';
import { pointsDecider } from './domain/points.js';
import { type ChallengeDocument, challenges } from './projections/challenges.js';
import { markDeleted } from './projections/deletions.js';
import type { MemberDocument } from './projections/members.js';
import { type PostDocument, posts, showPost } from './projections/posts.js';

/** Adds the points of a member's ledger, and the level that they give in the community. */
export async function addPoints(member: MemberDocument, sources: PublicationSources): Promise<MemberDocument> {
  const [{ balance: points }, community] = await Promise.all([
    sources.loadState(pointsDecider, member.id),
    sources.loadState(communityDecider, member.community.id),
  ]);
  if (community.status === 'unknown') return member;
  const { levels } = community.settings;
  return { ...member, points, level: calculateLevel(points, { levels, minimumLevel: member._minimumLevel }) };
}

/** Adds the number of participants, which are facts of other streams. */
export async function addParticipants(
  challenge: ChallengeDocument,
  sources: PublicationSources,
): Promise<ChallengeDocument> {
  const found = await sources.readDocument(challenges, challenge.id);
  return { ...challenge, participant_count: found?.participant_count ?? challenge.participant_count };
}

/** Adds the deletion, and the numbers of likes and comments, which are facts of other streams. */
export async function completeDeletedPost(post: PostDocument, sources: PublicationSources): Promise<PostDocument> {
  const { like_count, comment_count } = (await sources.readDocument(posts, post.id)) ?? post;
  return markDeleted(showPost({ ...post, like_count, comment_count }, true));
}
