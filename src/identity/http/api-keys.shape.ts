import { id, nullable, one, refer, resource, text, time } from '../../kernel/schema.js';

export const apiKey = resource('ApiKey', {
  id: id('key'),
  object: one('api_key'),
  name: text,
  mode: one('live', 'test'),
  access: one('full', 'read_only'),
  business: refer('business', 'biz'),
  user: refer('user', 'usr'),
  prefix: text,
  last4: text,
  created_at: time,
  last_used_at: nullable(time),
  expires_at: nullable(time),
  revoked_at: nullable(time),
});
