import { omitUndefined } from '../../kernel/omit-undefined.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  anyOf,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
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

const publicFields = {
  id: id('com'),
  object: enumOf('community'),
  name: string,
  description: nullable(string),
  cover_image_url: nullable(uri),
  tier: enumOf(...TIERS),
  status: enumOf('active', 'archived'),
  product: nullable(ref('product', 'prod')),
  member_count: integer,
  created_at: dateTime,
};

export const communitySchema = resource('Community', {
  ...publicFields,
  join_policy: enumOf(...JOIN_POLICIES),
  owner: ref('user', 'usr'),
  business: nullable(ref('business', 'biz')),
  levels: list(object({ level: integer, points: integer })),
  updated_at: dateTime,
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
