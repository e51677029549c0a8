import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { dateTime, type DocumentOf, enumOf, id, nullable, ref, resource, string } from '../../kernel/schema.js';
import { type ApiKeyEvent, KEY_ACCESSES } from '../domain/api-key.js';

export const apiKeySchema = resource('ApiKey', {
  id: id('key'),
  object: enumOf('api_key'),
  name: string,
  mode: enumOf('live', 'test'),
  access: enumOf(...KEY_ACCESSES),
  business: ref('business', 'biz'),
  user: ref('user', 'usr'),
  prefix: string,
  last4: string,
  created_at: dateTime,
  /** Null in the projection. `ApiKeyUsage` adds the value. */
  last_used_at: nullable(dateTime),
  expires_at: nullable(dateTime),
  revoked_at: nullable(dateTime),
});

export type ApiKeyDocument = DocumentOf<typeof apiKeySchema>;

export const apiKeys: Projection<ApiKeyDocument, ApiKeyEvent> = {
  name: 'apiKeys',
  version: 2,
  id: pickId('keyId'),
  indexes: [['business.id', 'created_at']],
  totals: [['business.id']],
  on: {
    ApiKeyCreated: (
      _,
      { data: { keyId, businessId, userId, name, mode, access, prefix, last4, expiresAt }, meta },
    ) => ({
      id: keyId,
      object: 'api_key',
      name,
      mode,
      access,
      business: toReference('business', businessId),
      user: toReference('user', userId),
      prefix,
      last4,
      created_at: meta.at,
      last_used_at: null,
      expires_at: expiresAt,
      revoked_at: null,
    }),
    ApiKeyRotated: (key, { data }) => key && { ...key, expires_at: data.endsAt },
    ApiKeyRevoked: (key, { meta }) => key && { ...key, revoked_at: meta.at },
  },
};
