import { dateTime, enumOf, id, ref, resource, string } from '../../kernel/schema.js';

export const businessSchema = resource('Business', {
  id: id('biz'),
  object: enumOf('business'),
  name: string,
  owner: ref('user', 'usr'),
  created_at: dateTime,
});
