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
import { type CommunityEvent, TIERS } from '../domain/community.js';

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
  join_policy: enumOf('open', 'invite'),
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

export const communities: Projection<CommunityDocument, CommunityEvent> = {
  name: 'communities',
  version: 1,
  id: pickId('communityId'),
  indexes: [
    ['business.id', 'created_at'],
    ['owner.id', 'created_at'],
  ],
  totals: [['business.id'], ['owner.id']],
  on: {
    CommunityCreated: (_, event) => toCommunityDocument(event),
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
    // The owner is its first member.
    member_count: 1,
    created_at: meta.at,
    updated_at: meta.at,
  };
}

export function toPublicCommunity(community: CommunityDocument): PublicCommunity {
  const names = Object.keys(publicFields) as (keyof PublicCommunity)[];
  return Object.fromEntries(names.map((name) => [name, community[name]])) as unknown as PublicCommunity;
}
