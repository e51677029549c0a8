import { omitUndefined } from '../../kernel/omit-undefined.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  anyOf,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  list,
  nullable,
  object,
  ref,
  resource,
  string,
  uri,
} from '../../kernel/schema.js';
import { type CommunityEvent, type CommunitySettings, JOIN_POLICIES, TIERS } from '../domain/community.js';
import type { MemberEvent } from '../domain/member-events.js';
import { creationTime, idFields } from './fields.js';

const publicFields = {
  ...idFields('community', 'com'),
  name: describe(string, 'The name that members see.'),
  description: describe(nullable(string), 'The text about the community; null for none.', 'A place for gardeners'),
  cover_image_url: describe(
    nullable(uri),
    'The address of the cover image; null for none.',
    'https://example.com/cover.png',
  ),
  tier: describe(enumOf(...TIERS), 'Whether users join for nothing (`free`), or must buy the product first (`paid`).'),
  status: describe(
    enumOf('active', 'archived'),
    'Whether the community can be changed (`active`), or only read, left and cleaned up (`archived`).',
  ),
  product: describe(
    nullable(ref('product', 'prod')),
    'The product that gives access to a paid community; null for a free one, and for a paid one before it has a product.',
  ),
  member_count: describe(integer, 'The number of active members, the owner included.', 12),
  created_at: creationTime,
};

const levelSchema = object({
  level: describe(integer, 'The number of the level.'),
  points: describe(integer, 'The lowest balance of points with which a member has the level.', 0),
});

export const communitySchema = resource('Community', {
  ...publicFields,
  join_policy: describe(enumOf(...JOIN_POLICIES), 'Whether users can join (`open`), or need an invite (`invite`).'),
  owner: describe(ref('user', 'usr'), 'The user who manages the community.'),
  business: describe(
    nullable(ref('business', 'biz')),
    'The business whose keys act as the owner; null when it belongs to no business.',
  ),
  levels: describe(list(levelSchema), 'The levels of members, with rising numbers and points.'),
  updated_at: describe(dateTime, 'The time of the latest change of the settings, the status or the owner.'),
});

const publicCommunitySchema = resource('PublicCommunity', publicFields);

/** A caller who is not a member sees only the public fields. */
export const visibleCommunitySchema = anyOf('SeenCommunity', communitySchema, publicCommunitySchema);

export type CommunityDocument = DocumentOf<typeof communitySchema>;
export type PublicCommunity = DocumentOf<typeof publicCommunitySchema>;

export const communities: Projection<CommunityDocument, CommunityEvent | MemberEvent> = {
  name: 'communities',
  version: 3,
  counts: ['member_count'],
  id: pickId('communityId'),
  indexes: [
    ['business.id', 'created_at'],
    ['owner.id', 'created_at'],
    ['product.id', 'created_at'],
  ],
  totals: [['business.id'], ['owner.id']],
  on: {
    CommunityCreated: (_, event) => toCommunityDocument(event),
    CommunityEdited: (community, { data }) =>
      community && { ...community, ...toSettingsFields(data.changes), updated_at: data.at },
    CommunityArchived: (community, { data }) => community && { ...community, status: 'archived', updated_at: data.at },
    CommunityReopened: (community, { data }) => community && { ...community, status: 'active', updated_at: data.at },
    CommunityTransferred: (community, { data }) =>
      community && {
        ...community,
        owner: toReference('user', data.to.userId),
        business: data.businessId === undefined ? community.business : optionalReference('business', data.businessId),
        updated_at: data.at,
      },
    // The owner is the first member of a new community.
    MemberJoined: (community, { data }) => countMembers(community, data.role === 'owner' ? 0 : 1),
    MemberImported: (community, { data }) => countMembers(community, data.status === 'active' ? 1 : 0),
    MemberActivated: (community) => countMembers(community, 1),
    MemberRejoined: (community, { data }) => countMembers(community, data.status === 'pending' ? 0 : 1),
    MemberUnbanned: (community, { data }) => countMembers(community, data.status === 'active' ? 1 : 0),
    OwnershipChanged: (community, { data }) => countMembers(community, data.wasActive ? 0 : 1),
    MemberLeft: (community) => countMembers(community, -1),
    MemberRemoved: (community, { data }) => countMembers(community, data.wasActive ? -1 : 0),
    MemberBanned: (community, { data }) => countMembers(community, data.wasActive ? -1 : 0),
    MemberChanged: (community) => community,
    MemberAddressChanged: (community) => community,
    MemberErased: (community) => community,
    ExpertBadgeAssigned: (community) => community,
    ExpertBadgeRemoved: (community) => community,
  },
};

function toCommunityDocument({ data, meta }: EventOf<CommunityEvent, 'CommunityCreated'>): CommunityDocument {
  const { communityId, name, description, coverImageUrl, tier, owner, businessId, productId, levels } = data;
  return {
    id: communityId,
    object: 'community',
    name,
    description,
    cover_image_url: coverImageUrl,
    tier,
    join_policy: 'open',
    status: 'active',
    owner: toReference('user', owner.userId),
    business: optionalReference('business', businessId),
    product: optionalReference('product', productId),
    levels,
    member_count: 1,
    created_at: meta.at,
    updated_at: meta.at,
  };
}

/** Active members count. */
function countMembers(community: CommunityDocument | null, difference: number): CommunityDocument | null {
  return community && { ...community, member_count: community.member_count + difference };
}

function toSettingsFields({ coverImageUrl, productId, joinPolicy, ...same }: Partial<CommunitySettings>) {
  const product = productId === undefined ? undefined : optionalReference('product', productId);
  return omitUndefined({ ...same, cover_image_url: coverImageUrl, product, join_policy: joinPolicy });
}

export function toPublicCommunity(community: CommunityDocument): PublicCommunity {
  const names = Object.keys(publicFields) as (keyof PublicCommunity)[];
  return Object.fromEntries(names.map((name) => [name, community[name]])) as unknown as PublicCommunity;
}
