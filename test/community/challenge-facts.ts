import type { ChallengeContent, ChallengeEvent, KnownChallenge } from '../../src/community/domain/challenge.js';
import type { ChallengeEntryEvent } from '../../src/community/domain/challenge-entry.js';
import { NOW } from './facts.js';

export const STARTS_AT = '2026-02-01T00:00:00.000Z';
export const ENDS_AT = '2026-03-01T00:00:00.000Z';
export const BEFORE_START = '2026-01-31T23:59:59.999Z';

export const challengeContent: ChallengeContent = {
  title: 'Thirty pots',
  description: null,
  goalType: 'posts',
  goalTarget: 2,
  cpReward: 50,
  prizeDescription: null,
  startsAt: STARTS_AT,
  endsAt: ENDS_AT,
  deadlineTimezone: 'UTC',
};

export const newChallenge = { challengeId: 'chal_1', communityId: 'com_1', createdBy: 'usr_1', ...challengeContent };

export const challengeCreated: ChallengeEvent = { type: 'ChallengeCreated', data: { ...newChallenge, at: NOW } };

export const challengeCancelled: ChallengeEvent = {
  type: 'ChallengeCancelled',
  data: { challengeId: 'chal_1', communityId: 'com_1', at: NOW, cancelledBy: 'usr_1' },
};

export function aChallenge(content: Partial<ChallengeContent> = {}): KnownChallenge {
  const ids = { id: 'chal_1', communityId: 'com_1' };
  return { status: 'planned', recordedStatus: 'active', ...ids, content: { ...challengeContent, ...content } };
}

export const entryIds = { challengeId: 'chal_1', communityId: 'com_1', memberId: 'mem_2', userId: 'usr_2' };

type Joined = Extract<ChallengeEntryEvent, { type: 'ChallengeJoined' }>;
type Counted = Extract<ChallengeEntryEvent, { type: 'ProgressCounted' }>;

export function challengeJoined(data: Partial<Joined['data']> = {}): Joined {
  return { type: 'ChallengeJoined', data: { ...entryIds, goalType: 'posts', goalTarget: 2, at: NOW, ...data } };
}

export function progressCounted(data: Partial<Counted['data']> = {}): Counted {
  const counted = { goalType: 'posts', goalTarget: 2, count: 1, day: null, awardId: null, at: NOW } as const;
  return { type: 'ProgressCounted', data: { ...entryIds, ...counted, ...data } };
}
