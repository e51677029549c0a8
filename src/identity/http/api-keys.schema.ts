import { dateTime, enumOf, id, nullable, ref, resource, string } from '../../kernel/schema.js';

export const apiKeySchema = resource('ApiKey', {
  id: id('key'),
  object: enumOf('api_key'),
  name: string,
  mode: enumOf('live', 'test'),
  access: enumOf('full', 'read_only'),
  business: ref('business', 'biz'),
  user: ref('user', 'usr'),
  prefix: string,
  last4: string,
  created_at: dateTime,
  last_used_at: nullable(dateTime),
  expires_at: nullable(dateTime),
  revoked_at: nullable(dateTime),
});
