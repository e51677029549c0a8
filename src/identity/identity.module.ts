import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeys } from './api-keys.js';
import { ApiKeyAuthenticator } from './authentication/api-key-authenticator.js';
import { Authenticator } from './authentication/authenticator.js';
import { DevelopmentTokens } from './authentication/development-tokens.js';
import { SessionAuthenticator } from './authentication/session-authenticator.js';
import { SessionJwks } from './authentication/session-jwks.js';
import { Bootstrap } from './bootstrap.js';
import { BusinessOwnership } from './business-ownership.js';
import { CreateApiKeyHandler, RevokeApiKeyHandler, RotateApiKeyHandler } from './commands/api-key.commands.js';
import { CreateBusinessHandler } from './commands/business.commands.js';
import { OwnershipQuotaSteps } from './commands/ownership-quota.steps.js';
import { identityDeciders } from './domain/deciders.js';
import { ApiKeysController } from './http/api-keys.controller.js';
import { BusinessesController } from './http/businesses.controller.js';
import { MeController } from './http/me.controller.js';
import { ForgetSubjects } from './processes/forget-subjects.js';
import { apiKeys } from './projections/api-keys.js';
import { businesses } from './projections/businesses.js';
import { ListApiKeysHandler, RetrieveApiKeyHandler } from './queries/api-key.queries.js';
import { ListBusinessesHandler } from './queries/business.queries.js';
import { RetrieveCallerHandler } from './queries/caller.queries.js';
import { Subjects } from './subjects.js';
import { Users } from './users.js';

const open = [ApiKeys, Authenticator, DevelopmentTokens, Bootstrap, ApiKeyUsage, BusinessOwnership, Subjects, Users];
const commands = [CreateApiKeyHandler, CreateBusinessHandler, RevokeApiKeyHandler, RotateApiKeyHandler];
const queries = [ListApiKeysHandler, ListBusinessesHandler, RetrieveApiKeyHandler, RetrieveCallerHandler];

@Module({
  imports: [CqrsModule],
  controllers: [ApiKeysController, BusinessesController, MeController],
  providers: [
    ...open,
    ...commands,
    ...queries,
    ForgetSubjects,
    ApiKeyAuthenticator,
    OwnershipQuotaSteps,
    SessionAuthenticator,
    SessionJwks,
  ],
  exports: open,
})
export class IdentityModule {
  constructor(registry: Registry, forgetSubjects: ForgetSubjects) {
    registry.add({ deciders: identityDeciders, projections: [businesses, apiKeys], reactors: [forgetSubjects] });
  }
}
