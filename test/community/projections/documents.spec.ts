import { communityDecider } from '../../../src/community/domain/community.js';
import { pointsDecider } from '../../../src/community/domain/points.js';
import { postDecider } from '../../../src/community/domain/post.js';
import { communities, toPublicCommunity } from '../../../src/community/projections/communities.js';
import { pointsAwards } from '../../../src/community/projections/points-awards.js';
import { posts, showPost } from '../../../src/community/projections/posts.js';
import { render } from '../../../src/kernel/projection.js';
import { address, communityCreated, content, levels, NOW, pointsAwarded, postCreated } from '../facts.js';
import { recordedFrom } from '../recorded-from.js';

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

  it('hides only its content from a viewer below its level', () =>
    expect(showPost(document, false)).toEqual({
      ...document,
      locked: true,
      content: null,
      attachments: null,
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
