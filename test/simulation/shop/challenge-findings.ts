import type { ChallengeEvent } from '../../../src/community/domain/challenge.js';
import type { ChallengeEntryEvent } from '../../../src/community/domain/challenge-entry.js';
import type { PointsEvent } from '../../../src/community/domain/points.js';
import type { PostEvent } from '../../../src/community/domain/post.js';
import type { RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';

type Fact = RecordedOf<ChallengeEvent | ChallengeEntryEvent | PointsEvent | PostEvent>;
type OfType<T extends Fact['type']> = Extract<Fact, { type: T }>;
type Joined = OfType<'ChallengeJoined'>;
type Activity = OfType<'PostCreated' | 'PointsAwarded'>;

/**
 * Finds activities that an entry has counted twice or not at all, wrong counts, and completed challenges whose reward
 * was not paid exactly once.
 */
export function findChallengeErrors(log: readonly RecordedEvent[]): string[] {
  const facts = log as readonly Fact[];
  return [
    ...filterType(facts, 'ChallengeJoined').flatMap((joined) => findMiscounts(joined, facts)),
    ...filterType(facts, 'ChallengeCompleted').flatMap((completed) => findWrongRewards(completed, facts)),
  ];
}

function findMiscounts(joined: Joined, facts: readonly Fact[]): string[] {
  const { challengeId, userId, goalTarget } = joined.data;
  const entry = `the entry of ${userId} in ${challengeId}`;
  const { startsAt } = filterType(facts, 'ChallengeCreated').find(({ data }) => data.challengeId === challengeId)!.data;
  const own = facts.filter(({ stream }) => stream === joined.stream);
  const counted = filterType(own, 'ProgressCounted').map(({ meta }) => meta.causationId);
  const completed = own.some(({ type }) => type === 'ChallengeCompleted');
  const activities = facts.filter((fact) => isActivity(fact, joined) && fact.meta.at >= startsAt) as Activity[];
  const withdrawn = filterType(own, 'ProgressWithdrawn').map(({ data }) => data.awardId);
  const sum = activities
    .filter(({ id, data }) => counted.includes(id) && !('awardId' in data && withdrawn.includes(data.awardId)))
    .reduce((total, one) => total + measure(one), 0);
  const count = own.findLast(isProgress)?.data.count ?? 0;
  return [
    ...(new Set(counted).size === counted.length ? [] : [`${entry} has counted an activity twice`]),
    ...(count === sum ? [] : [`${entry} has the count ${count}, expected ${sum}`]),
    ...(completed === count >= goalTarget ? [] : [`${entry} is ${completed ? '' : 'not '}completed at ${count}`]),
    ...(completed || isCancelled(challengeId, facts) ? [] : findUncounted(activities, counted, joined)),
  ];
}

/** An activity that was recorded before the entry may be counted too, when a process counts it later. */
function findUncounted(activities: readonly Activity[], counted: readonly string[], { position, data }: Joined) {
  return activities
    .filter((activity) => activity.position > position && !counted.includes(activity.id))
    .map(({ id }) => `the activity ${id} was not counted for ${data.userId} in ${data.challengeId}`);
}

function isActivity(fact: Fact, { data: { communityId, userId, goalType, at } }: Joined): boolean {
  if (fact.type !== (goalType === 'cp' ? 'PointsAwarded' : 'PostCreated') || fact.meta.at < at) return false;
  const { data } = fact;
  return data.communityId === communityId && ('authorId' in data ? data.authorId : data.userId) === userId;
}

function isProgress(fact: Fact): fact is OfType<'ProgressCounted' | 'ProgressWithdrawn'> {
  return fact.type === 'ProgressCounted' || fact.type === 'ProgressWithdrawn';
}

function measure({ data }: Activity): number {
  return 'points' in data ? data.points : 1;
}

function isCancelled(challengeId: string, facts: readonly Fact[]): boolean {
  return filterType(facts, 'ChallengeCancelled').some(({ data }) => data.challengeId === challengeId);
}

function findWrongRewards({ data }: OfType<'ChallengeCompleted'>, facts: readonly Fact[]): string[] {
  const { challengeId, memberId, cpReward } = data;
  const paid = filterType(facts, 'PointsAwarded')
    .filter(({ data: award }) => award.sourceId === challengeId && award.memberId === memberId)
    .map(({ data: award }) => award.points)
    .join();
  const expected = cpReward === 0 ? '' : String(cpReward);
  return paid === expected ? [] : [`${challengeId} has paid ${memberId} "${paid}", expected "${expected}"`];
}

function filterType<T extends Fact['type']>(facts: readonly Fact[], type: T): OfType<T>[] {
  return facts.filter((fact): fact is OfType<T> => fact.type === type);
}
