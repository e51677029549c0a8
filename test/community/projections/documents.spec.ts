import { communityDecider } from '../../../src/community/domain/community.js';
import { memberDecider } from '../../../src/community/domain/member.js';
import type { MemberEvent } from '../../../src/community/domain/member-events.js';
import { pointsDecider, type PointsEvent } from '../../../src/community/domain/points.js';
import { postDecider } from '../../../src/community/domain/post.js';
import { communities, toPublicCommunity } from '../../../src/community/projections/communities.js';
import { members } from '../../../src/community/projections/members.js';
import { pointsAwards } from '../../../src/community/projections/points-awards.js';
import { posts, showPost } from '../../../src/community/projections/posts.js';
import { render } from '../../../src/kernel/projection.js';
import {
  address,
  communityCreated,
  content,
  levels,
  memberJoined,
  NOW,
  pointsAwarded,
  pointsReversed,
  postCreated,
} from '../facts.js';
import { recordedFrom } from '../recorded-from.js';

const LATER = '2026-02-03T09:00:00.000Z';

describe('The document of a community', () => {
  const document = render(communities, 'com_1', recordedFrom(communityDecider, 'com_1', communityCreated));

  it('starts with its owner as the only member', () =>
    expect(document).toEqual({
      id: 'com_1',
      object: 'community',
      name: 'Potters',
      description: 'For those with clay on their hands',
      cover_image_url: 'https://example.com/cover.png',
      tier: 'free',
      join_policy: 'open',
      status: 'active',
      owner: { object: 'user', id: 'usr_1' },
      business: { object: 'business', id: 'biz_1' },
      product: null,
      levels: levels,
      member_count: 1,
      created_at: NOW,
      updated_at: NOW,
    }));

  it('contains no address', () => expect(JSON.stringify(document)).not.toContain(address.hash));

  it('hides owner and business from outsiders', () =>
    expect(Object.keys(toPublicCommunity(document))).toEqual([
      'id',
      'object',
      'name',
      'description',
      'cover_image_url',
      'tier',
      'status',
      'product',
      'member_count',
      'created_at',
    ]));
});

describe('The document of a post', () => {
  const document = render(posts, 'post_1', recordedFrom(postDecider, 'post_1', postCreated));

  it('contains the content of its author', () =>
    expect(document).toMatchObject({
      id: 'post_1',
      community: { object: 'community', id: 'com_1' },
      author: { object: 'user', id: 'usr_1' },
      content: content.content,
      attachments: content.attachments,
      metadata: content.metadata,
      locked: false,
      created_at: NOW,
      deleted_at: null,
    }));

  it('hides its content and metadata from a viewer below its level', () =>
    expect(showPost(document, false)).toEqual({
      ...document,
      locked: true,
      content: null,
      attachments: null,
      metadata: {},
      video_url: null,
    }));
});

describe('The document of an award', () => {
  const ledger = recordedFrom(
    pointsDecider,
    'mem_1',
    pointsAwarded(
      { balance: 20, level: 3, leveledUp: true },
      { awardId: 'pta_0', points: 20, sourceType: 'manual', sourceId: null },
    ),
    pointsAwarded({ balance: 70, level: 4, leveledUp: true }),
  );

  it('is one entry of the ledger with an encrypted address', () =>
    expect(render(pointsAwards, 'pta_1', ledger)).toEqual({
      id: 'pta_1',
      object: 'points_award',
      community: { object: 'community', id: 'com_1' },
      user: { object: 'user', id: 'usr_1', email: address },
      points: 50,
      source_type: 'course',
      source_id: 'lesson-7',
      balance: 70,
      level: 4,
      leveled_up: true,
      duplicate: false,
      created_at: NOW,
      _memberId: 'mem_1',
      _isReversal: false,
    }));

  it('does not change with later awards', () =>
    expect(render(pointsAwards, 'pta_0', ledger)).toMatchObject({ balance: 20, source_id: null }));
});

describe('The document of a member who comes and goes', () => {
  const reference = { memberId: 'mem_1', communityId: 'com_1', userId: 'usr_1', at: LATER };
  const departure = { ...reference, by: 'usr_2', wasActive: true };
  const promoted: readonly MemberEvent[] = [
    { type: 'MemberChanged', data: { ...reference, changes: { role: 'moderator' } } },
    { type: 'ExpertBadgeAssigned', data: { ...reference, by: 'usr_2' } },
  ];
  const after = (...events: readonly MemberEvent[]) =>
    render(members, 'mem_1', recordedFrom(memberDecider, 'mem_1', memberJoined, ...promoted, ...events));
  const removed: MemberEvent = { type: 'MemberRemoved', data: departure };

  it('has the badge of an expert', () =>
    expect(after()).toMatchObject({
      status: 'active',
      role: 'moderator',
      expert_badge: { assigned_at: LATER, assigned_by: { object: 'user', id: 'usr_2' } },
    }));

  it.each<[string, string, MemberEvent]>([
    ['a departure', 'removed', { type: 'MemberLeft', data: reference }],
    ['a removal', 'removed', removed],
    ['a ban', 'banned', { type: 'MemberBanned', data: departure }],
  ])('has no badge after %s', (_, status, event) => expect(after(event)).toMatchObject({ status, expert_badge: null }));

  it('is that of a plain member after the return, from its time', () =>
    expect(after(removed, { type: 'MemberRejoined', data: { ...reference, purchased: false } })).toMatchObject({
      status: 'active',
      role: 'member',
      joined_at: LATER,
    }));

  it('has no time of joining after a return by an import, until the user signs in', () => {
    const returned: MemberEvent = {
      type: 'MemberRejoined',
      data: { ...reference, purchased: false, status: 'pending' },
    };
    expect(after(removed, returned)).toMatchObject({ status: 'pending', joined_at: null });
    expect(after(removed, returned, { type: 'MemberActivated', data: reference })).toMatchObject({
      status: 'active',
      joined_at: LATER,
    });
  });

  it('is that of an active owner, although the member left during the transfer', () =>
    expect(
      after(removed, {
        type: 'OwnershipChanged',
        data: { ...reference, role: 'owner', transfer: 1, wasActive: false },
      }),
    ).toMatchObject({ status: 'active', role: 'owner' }));
});

describe('The document of a member', () => {
  const at = (day: string) => `2026-02-${day}T09:00:00.000Z`;
  const awarded = (awardId: string, points: number, balance: number) =>
    pointsAwarded({ balance, level: 1, leveledUp: false }, { awardId, points });

  /** Returns the points by day after entries of the ledger, each on its day. */
  function foldDays(...entries: readonly (readonly [day: string, entry: PointsEvent])[]) {
    const joined = recordedFrom(memberDecider, 'mem_1', memberJoined);
    const ledger = entries.map(([day, entry], i) => {
      const [recorded] = recordedFrom(pointsDecider, 'mem_1', entry);
      return { ...recorded!, position: `${i + 1}`, meta: { ...recorded!.meta, at: at(day) } };
    });
    return render(members, 'mem_1', [...joined, ...ledger])._daily;
  }

  it('has a reversal on the day of its award, so that they cancel out there', () =>
    expect(
      foldDays(['01', awarded('pta_1', 50, 50)], ['02', pointsReversed({ points: -50, balance: 0, level: 1 })]),
    ).toEqual([['2026-02-01', 0]]));

  it('keeps the other awards of the day, and those of the day of the reversal', () =>
    expect(
      foldDays(
        ['01', awarded('pta_1', 50, 50)],
        ['01', awarded('pta_2', 7, 57)],
        ['02', awarded('pta_3', 9, 66)],
        ['02', pointsReversed({ points: -50, balance: 16, level: 1 })],
      ),
    ).toEqual([
      ['2026-02-01', 7],
      ['2026-02-02', 9],
    ]));

  it('takes nothing from later days when the day of the award is forgotten', () =>
    expect(
      foldDays(['28', awarded('pta_2', 9, 59)], ['28', pointsReversed({ points: -50, balance: 9, level: 1 })]),
    ).toEqual([['2026-02-28', 9]]));
});
