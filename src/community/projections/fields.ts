import { dateTime, describe, enumOf, id, integer, KIND, nullable, ref } from '../../kernel/schema.js';

/** The first fields of every resource. */
export const idFields = <const O extends string>(name: O, prefix: string) => ({
  id: describe(id(prefix), 'The id of this object; it never changes.'),
  object: describe(enumOf(name), KIND),
});

export const communityReference = describe(ref('community', 'com'), 'The community that this object belongs to.');

/** The first fields of the resources of a community. */
export const communityFields = <const O extends string>(name: O, prefix: string) => ({
  ...idFields(name, prefix),
  community: communityReference,
});

export const authorReference = describe(ref('user', 'usr'), 'The user who wrote this object.');
export const creatorReference = describe(ref('user', 'usr'), 'The user who created this object.');
export const creationTime = describe(dateTime, 'The time at which this object was created.');
export const deletionTime = describe(
  nullable(dateTime),
  'The time at which this object was deleted, or null before that.',
);
export const rewardSchema = describe(
  integer,
  'The points that a member receives once for completing it; 0 for none.',
  25,
);
