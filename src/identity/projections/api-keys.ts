import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  id,
  KIND,
  nullable,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { type ApiKeyEvent, KEY_ACCESSES } from '../domain/api-key.js';

export const apiKeySchema = resource('ApiKey', {
  id: describe(id('key'), 'The id of this object; it never changes.'),
  object: describe(enumOf('api_key'), KIND),
  name: describe(string, 'The name by which people recognize the key.', 'Reporting'),
  mode: describe(enumOf('live', 'test'), 'Whether the key works with live data or with test data.'),
  access: describe(enumOf(...KEY_ACCESSES), 'Whether the key may read and write (`full`) or only read (`read_only`).'),
  business: describe(ref('business', 'biz'), 'The business that this object belongs to.'),
  user: describe(ref('user', 'usr'), 'The user as whom the key acts.'),
  prefix: describe(string, 'The first characters of the key, which show its access and its mode.', 'sk_live_'),
  last4: describe(string, 'The last four characters of the key, which people compare.', '8sKq'),
  created_at: describe(dateTime, 'The time at which this object was created.'),
  /** Null in the projection. `ApiKeyUsage` adds the value. */
  last_used_at: describe(
    nullable(dateTime),
    'The time at which the key was last used, to the minute, or null before that.',
  ),
  expires_at: describe(
    nullable(dateTime),
    'The time at which the key stops working; null means that it does not expire. A rotation can set an earlier time.',
  ),
  revoked_at: describe(nullable(dateTime), 'The time at which the key was revoked, or null before that.'),
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
