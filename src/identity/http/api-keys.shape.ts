import { id, maybe, one, refer, resource, text, time } from '../../http/openapi/shape.js';
import type { ApiKeyDocument } from '../projections/api-keys.js';

export const apiKey = resource<ApiKeyDocument>('ApiKey', {
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
  last_used_at: maybe(time),
  expires_at: maybe(time),
  revoked_at: maybe(time),
});
