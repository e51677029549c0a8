import { addMs } from '../kernel/clock.js';
import type { RecordedEvent } from '../kernel/event.js';
import { addCounts, type PublicationSources } from '../kernel/public-event-definition.js';
import { communityDecider } from './domain/community.js';
import { calculateLevel } from './domain/levels.js';
import { pointsDecider } from './domain/points.js';
import { type ChallengeDocument, challenges, showChallenge } from './projections/challenges.js';
import { markDeleted } from './projections/deletions.js';
import { type LibraryResourceDocument, libraryResources } from './projections/library-resources.js';
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

/** Adds the number of participants, and the status at the time of the event. */
export async function completeChallenge(
  challenge: ChallengeDocument,
  sources: PublicationSources,
  { meta }: RecordedEvent,
): Promise<ChallengeDocument> {
  return showChallenge(await addCounts(challenges)(challenge, sources), meta.at);
}

/**
 * Adds the number of participants. A challenge that has not ended is as it was just before its end, also when no event
 * has recorded its start.
 */
export async function completeEndedChallenge(
  challenge: ChallengeDocument,
  sources: PublicationSources,
): Promise<ChallengeDocument> {
  const counted = await addCounts(challenges)(challenge, sources);
  return counted.status === 'ended' ? counted : showChallenge(counted, addMs(counted.ends_at!, -1));
}

/** Adds the numbers of likes and comments. Without its content, as the API shows it, when it is deleted. */
export async function completePost(post: PostDocument, sources: PublicationSources): Promise<PostDocument> {
  return showPost(await addCounts(posts)(post, sources), true);
}

/** Adds the deletion, and the numbers of likes and comments. */
export async function completeDeletedPost(post: PostDocument, sources: PublicationSources): Promise<PostDocument> {
  return markDeleted(await completePost(post, sources));
}

/** Adds the deletion, and the numbers of downloads. */
export async function completeDeletedResource(
  resource: LibraryResourceDocument,
  sources: PublicationSources,
): Promise<LibraryResourceDocument> {
  return markDeleted(await addCounts(libraryResources)(resource, sources));
}
