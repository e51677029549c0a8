import { either, id, list, nullable, object, one, refer, resource, text, time, uri, whole } from '../../kernel/schema.js';

const ofAnybody = {
  id: id('com'),
  object: one('community'),
  name: text,
  description: nullable(text),
  cover_image_url: nullable(uri),
  tier: one('free', 'paid'),
  status: one('active', 'archived'),
  product: nullable(refer('product', 'prod')),
  member_count: whole,
  created_at: time,
};

export const community = resource('Community', {
  ...ofAnybody,
  join_policy: one('open', 'invite'),
  owner: refer('user', 'usr'),
  business: nullable(refer('business', 'biz')),
  levels: list(object({ level: whole, points: whole })),
  updated_at: time,
});

/** A caller who is not a member sees only the public fields. */
export const seenCommunity = either('SeenCommunity', community, resource('PublicCommunity', ofAnybody));
