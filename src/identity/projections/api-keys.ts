import type { Mode, Recorded } from '../../kernel/event.js';
import type { Projection } from '../../kernel/projection.js';
import type { ApiKeyEvent, KeyAccess } from '../domain/api-key.js';

export interface ApiKeyDocument {
  readonly id: string;
  readonly object: 'api_key';
  readonly name: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly business: { readonly object: 'business'; readonly id: string };
  readonly user: { readonly object: 'user'; readonly id: string };
  readonly prefix: string;
  readonly last4: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export const apiKeys: Projection<ApiKeyDocument> = {
  name: 'apiKeys',
  version: 1,
  indexes: [['business.id', 'created_at']],
  totals: [['business.id']],
  id: ({ data }) => (data as { keyId: string }).keyId,
  on: {
    ApiKeyCreated: (_, { data, meta }: Recorded<string, ApiKeyEvent['data']>) => ({
      id: data.keyId,
      object: 'api_key',
      name: data.name,
      mode: data.mode,
      access: data.access,
      business: { object: 'business', id: data.businessId },
      user: { object: 'user', id: data.userId },
      prefix: data.prefix,
      last4: data.last4,
      created_at: meta.at,
      last_used_at: null,
      expires_at: data.expiresAt,
      revoked_at: null,
    }),
  },
};
