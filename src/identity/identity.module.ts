import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { ApiKeys } from './api-keys.js';
import { CreateApiKeyHandler, RevokeApiKeyHandler, RotateApiKeyHandler } from './commands/api-key.commands.js';
import { CreateBusinessHandler } from './commands/business.commands.js';
import { Credentials } from './credentials.js';
import { DevelopmentTokens } from './development-tokens.js';
import { FirstBusiness } from './first-business.js';
import { identityDeciders } from './domain/deciders.js';
import { ApiKeysController } from './http/api-keys.controller.js';
import { BusinessesController } from './http/businesses.controller.js';
import { MeController } from './http/me.controller.js';
import { KeyCredentials } from './key-credentials.js';
import { KeyUses } from './key-uses.js';
import { Ownership } from './ownership.js';
import { apiKeys, ListApiKeysHandler, RetrieveApiKeyHandler } from './projections/api-keys.js';
import { businesses, ListBusinessesHandler } from './projections/businesses.js';
import { PlaceSteps } from './place-steps.js';
import { SessionKeys } from './session-keys.js';
import { Sessions } from './sessions.js';
import { ForgetSubjects, Subjects } from './subjects.js';
import { Users } from './users.js';

const open = [ApiKeys, Credentials, DevelopmentTokens, FirstBusiness, KeyUses, Ownership, Subjects, Users];
const commands = [CreateApiKeyHandler, CreateBusinessHandler, RevokeApiKeyHandler, RotateApiKeyHandler];
const queries = [ListApiKeysHandler, ListBusinessesHandler, RetrieveApiKeyHandler];

@Module({
  imports: [CqrsModule],
  controllers: [ApiKeysController, BusinessesController, MeController],
  providers: [...open, ...commands, ...queries, ForgetSubjects, KeyCredentials, PlaceSteps, Sessions, SessionKeys],
  exports: open,
})
export class IdentityModule {
  constructor(registry: Registry, forgetSubjects: ForgetSubjects) {
    registry.add({ deciders: identityDeciders, projections: [businesses, apiKeys], reactors: [forgetSubjects] });
  }
}
