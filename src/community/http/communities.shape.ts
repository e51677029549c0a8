import { either, id, list, maybe, object, one, refer, resource, text, time, uri, whole } from '../../http/openapi/shape.js';
import type { CommunityDocument, PublicCommunity } from '../projections/communities.js';

const ofAnybody = {
  id: id('com'),
  object: one('community'),
  name: text,
  description: maybe(text),
  cover_image_url: maybe(uri),
  tier: one('free', 'paid'),
  status: one('active', 'archived'),
  product: maybe(refer('product', 'prod')),
  member_count: whole,
  created_at: time,
};

export const community = resource<CommunityDocument>('Community', {
  ...ofAnybody,
  join_policy: one('open', 'invite'),
  owner: refer('user', 'usr'),
  business: maybe(refer('business', 'biz')),
  levels: list(object({ level: whole, points: whole })),
  updated_at: time,
});

/** A caller who is not a member sees only the public fields. */
export const seenCommunity = either('SeenCommunity', community, resource<PublicCommunity>('PublicCommunity', ofAnybody));
