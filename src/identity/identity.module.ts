import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AreaProcesses, joinFeatures } from '../engine/feature.js';
import { Registry } from '../engine/registry.js';
import { Authenticator } from '../kernel/authenticator.js';
import { BusinessOwnership } from '../kernel/business-ownership.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeys } from './api-keys.js';
import { DevelopmentTokens } from './authentication/development-tokens.js';
import { Bootstrap } from './bootstrap.js';
import { apiKeyFeature } from './features/api-key.feature.js';
import { authenticationFeature } from './features/authentication.feature.js';
import { businessFeature } from './features/business.feature.js';
import { userFeature } from './features/user.feature.js';
import { Subjects } from './subjects.js';
import { UserAddresses } from './user-addresses.js';
import { UserLinks } from './user-links.js';
import { Users } from './users.js';

export const identityFeatures = [apiKeyFeature, businessFeature, userFeature, authenticationFeature];

const { controllers, providers, registrations } = joinFeatures(identityFeatures);

/** Global, because every area and the HTTP edge need to know who acts. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers,
  providers,
  exports: [
    ApiKeys,
    Authenticator,
    DevelopmentTokens,
    Bootstrap,
    ApiKeyUsage,
    BusinessOwnership,
    Subjects,
    UserAddresses,
    UserLinks,
    Users,
  ],
})
export class IdentityModule {
  constructor(registry: Registry, processes: AreaProcesses) {
    registry.add({ ...registrations, ...processes });
  }
}
