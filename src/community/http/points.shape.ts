import { flag, id, maybe, object, one, personal, refer, resource, text, time, whole } from '../../http/openapi/shape.js';
import type { PointsAwardDocument } from '../projections/points-awards.js';

export const pointsAward = resource<PointsAwardDocument>('PointsAward', {
  id: id('pta'),
  object: one('points_award'),
  community: refer('community', 'com'),
  user: object({ object: one('user'), id: id('usr'), email: personal }),
  points: whole,
  source_type: text,
  source_id: maybe(text),
  balance: whole,
  level: whole,
  leveled_up: flag,
  duplicate: flag,
  created_at: time,
});
