import { id, one, refer, resource, text, time } from '../../kernel/schema.js';

export const business = resource('Business', {
  id: id('biz'),
  object: one('business'),
  name: text,
  owner: refer('user', 'usr'),
  created_at: time,
});
