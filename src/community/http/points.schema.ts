import {
  boolean,
  dateTime,
  enumOf,
  id,
  integer,
  nullable,
  object,
  personalString,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';

export const pointsAwardSchema = resource('PointsAward', {
  id: id('pta'),
  object: enumOf('points_award'),
  community: ref('community', 'com'),
  user: object({ object: enumOf('user'), id: id('usr'), email: personalString }),
  points: integer,
  source_type: string,
  source_id: nullable(string),
  balance: integer,
  level: integer,
  leveled_up: boolean,
  duplicate: boolean,
  created_at: dateTime,
});
