import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { ApiKeyUsage } from '../api-key-usage.js';
import { ApiKeys } from '../api-keys.js';
import { CreateApiKeyHandler, RevokeApiKeyHandler, RotateApiKeyHandler } from '../commands/api-key.commands.js';
import { apiKeyDecider } from '../domain/api-key.js';
import { keySecretClaims } from '../domain/claim.js';
import { keyQuotaDecider } from '../domain/ownership-quota.js';
import { ApiKeysController } from '../http/api-keys.controller.js';
import { apiKeys } from '../projections/api-keys.js';
import { ListApiKeysHandler, RetrieveApiKeyHandler } from '../queries/api-key.queries.js';

const apiKey = createAuditedResource('api_key', apiKeys);

export const apiKeyFeature: Feature = {
  streams: [
    auditStream(apiKeyDecider, apiKey),
    auditStream(keySecretClaims, nameByKey(apiKey, 'ownerId')),
    auditStream(keyQuotaDecider, nameByKey(apiKey, 'ownedId')),
  ],
  projections: [apiKeys],
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
