import { id, one, refer, resource, text, time } from '../../http/openapi/shape.js';
import type { BusinessDocument } from '../projections/businesses.js';

export const business = resource<BusinessDocument>('Business', {
  id: id('biz'),
  object: one('business'),
  name: text,
  owner: refer('user', 'usr'),
  created_at: time,
});
