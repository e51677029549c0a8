import { flag, id, nullable, object, one, personal, refer, resource, text, time, whole } from '../../kernel/schema.js';

export const pointsAward = resource('PointsAward', {
  id: id('pta'),
  object: one('points_award'),
  community: refer('community', 'com'),
  user: object({ object: one('user'), id: id('usr'), email: personal }),
  points: whole,
  source_type: text,
  source_id: nullable(text),
  balance: whole,
  level: whole,
  leveled_up: flag,
  duplicate: flag,
  created_at: time,
});
