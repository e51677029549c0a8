import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { ApiKeys } from './api-keys.js';
import { CreateBusinessHandler } from './commands/business.commands.js';
import { Credentials } from './credentials.js';
import { DevelopmentTokens } from './development-tokens.js';
import { FirstBusiness } from './first-business.js';
import { BusinessesController } from './http/businesses.controller.js';
import { MeController } from './http/me.controller.js';
import { Ownership } from './ownership.js';
import { apiKeys } from './projections/api-keys.js';
import { businesses, ListBusinessesHandler } from './projections/businesses.js';
import { SessionKeys } from './session-keys.js';
import { Sessions } from './sessions.js';
import { Users } from './users.js';

const open = [ApiKeys, Credentials, DevelopmentTokens, FirstBusiness, Ownership, Users];

@Module({
  imports: [CqrsModule],
  controllers: [BusinessesController, MeController],
  providers: [...open, Sessions, SessionKeys, CreateBusinessHandler, ListBusinessesHandler],
  exports: open,
})
export class IdentityModule {
  constructor(registry: Registry) {
    registry.add({ projections: [businesses, apiKeys] });
  }
}
