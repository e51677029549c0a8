import type { CommunityEvent } from '../../src/community/domain/community.js';
import type { MemberEvent } from '../../src/community/domain/member-events.js';
import type { Award, PointsEvent, Reversal } from '../../src/community/domain/points.js';
import type { PointsSourceEvent, SourcedAward } from '../../src/community/domain/points-source.js';
import type { PostContent, PostEvent } from '../../src/community/domain/post.js';

export const NOW = '2026-02-01T09:00:00.000Z';

export const address = { box: 'subject.box', hash: 'hash-of-ada' };

export const levels = [
  { level: 1, points: 0 },
  { level: 2, points: 5 },
  { level: 3, points: 20 },
  { level: 4, points: 65 },
  { level: 5, points: 155 },
  { level: 6, points: 515 },
  { level: 7, points: 2015 },
  { level: 8, points: 8015 },
  { level: 9, points: 33015 },
];

export const newCommunity = {
  communityId: 'com_1',
  businessId: 'biz_1',
  owner: { userId: 'usr_1', memberId: 'mem_1', email: address },
  name: 'Potters',
  description: 'For those with clay on their hands',
  coverImageUrl: 'https://example.com/cover.png',
  tier: 'free',
  productId: null,
} as const;

export const communityCreated: Extract<CommunityEvent, { type: 'CommunityCreated' }> = {
  type: 'CommunityCreated',
  data: { ...newCommunity, levels },
};

export const newMember = {
  memberId: 'mem_1',
  communityId: 'com_1',
  userId: 'usr_1',
  email: address,
  role: 'owner',
  minimumLevel: 1,
} as const;

export const memberJoined: Extract<MemberEvent, { type: 'MemberJoined' }> = { type: 'MemberJoined', data: newMember };

export const award: SourcedAward = {
  awardId: 'pta_1',
  communityId: 'com_1',
  memberId: 'mem_1',
  userId: 'usr_1',
  email: address,
  points: 50,
  sourceType: 'course',
  sourceId: 'lesson-7',
};

export const pointsReserved: PointsSourceEvent = { type: 'PointsReserved', data: award };

export function pointsAwarded(
  came: { balance: number; level: number; leveledUp: boolean },
  differently: Partial<Award> = {},
): PointsEvent {
  return { type: 'PointsAwarded', data: { ...award, ...differently, ...came, at: NOW } };
}

export const reversal: Reversal = {
  reversalId: 'pta_r1',
  awardId: 'pta_1',
  communityId: 'com_1',
  memberId: 'mem_1',
  userId: 'usr_1',
  email: address,
  awardedPoints: 50,
  awardedAt: NOW,
  reason: 'By mistake',
  reversedBy: 'usr_2',
};

export function pointsReversed(came: { points: number; balance: number; level: number }): PointsEvent {
  return { type: 'PointsReversed', data: { ...reversal, ...came, at: NOW } };
}

export const content: PostContent = {
  content: 'Glaze recipes',
  attachments: [{ url: 'https://example.com/glaze.pdf', pages: 3 }],
  metadata: { topic: 'glaze' },
  requiredLevel: 2,
  videoUrl: null,
};

export const newPost = { postId: 'post_1', communityId: 'com_1', authorId: 'usr_1', ...content };

export const postCreated: Extract<PostEvent, { type: 'PostCreated' }> = { type: 'PostCreated', data: newPost };
