import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { addLastUse, ApiKeyUsage } from '../api-key-usage.js';
import { ApiKeys } from '../api-keys.js';
import { CreateApiKeyHandler, RevokeApiKeyHandler, RotateApiKeyHandler } from '../commands/api-key.commands.js';
import { apiKeyDecider } from '../domain/api-key.js';
import { keySecretClaims } from '../domain/claim.js';
import { keyQuotaDecider } from '../domain/ownership-quota.js';
import { ApiKeysController } from '../http/api-keys.controller.js';
import { apiKeys, apiKeySchema } from '../projections/api-keys.js';
import { ListApiKeysHandler, RetrieveApiKeyHandler } from '../queries/api-key.queries.js';

const apiKey = createAuditedResource('api_key', apiKeys);

export const apiKeyFeature: Feature = {
  streams: [
    auditStream(apiKeyDecider, apiKey),
    auditStream(keySecretClaims, nameByKey(apiKey, 'ownerId')),
    auditStream(keyQuotaDecider, nameByKey(apiKey, 'ownedId')),
  ],
  projections: [apiKeys],
  publicEvents: [
    publish({
      fact: 'ApiKeyCreated',
      type: 'api_key.created',
      summary: 'An API key was created',
      description:
        'A business got an API key, also as the successor of a rotated one. Endpoints of its mode receive it.',
      projection: apiKeys,
      schema: apiKeySchema,
    }),
    publish({
      fact: 'ApiKeyRotated',
      type: 'api_key.rotated',
      summary: 'An API key was rotated',
      description: 'An API key stops working at `expires_at`, because another key replaces it.',
      projection: apiKeys,
      schema: apiKeySchema,
      complete: addLastUse,
      change: true,
    }),
    publish({
      fact: 'ApiKeyRevoked',
      type: 'api_key.revoked',
      summary: 'An API key was revoked',
      description: 'An API key no longer works.',
      projection: apiKeys,
      schema: apiKeySchema,
      complete: addLastUse,
      change: true,
    }),
  ],
  controllers: [ApiKeysController],
  providers: [
    ApiKeys,
    ApiKeyUsage,
    CreateApiKeyHandler,
    RevokeApiKeyHandler,
    RotateApiKeyHandler,
    ListApiKeysHandler,
    RetrieveApiKeyHandler,
  ],
};
