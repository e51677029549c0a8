import {
  anyOf,
  dateTime,
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

const publicFields = {
  id: id('com'),
  object: enumOf('community'),
  name: string,
  description: nullable(string),
  cover_image_url: nullable(uri),
  tier: enumOf('free', 'paid'),
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

/** A caller who is not a member sees only the public fields. */
export const visibleCommunitySchema = anyOf(
  'SeenCommunity',
  communitySchema,
  resource('PublicCommunity', publicFields),
);
