import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { CommerceModule } from './commerce/commerce.module.js';
import { CommunityModule } from './community/community.module.js';
import { Config } from './config.js';
import { ConfigModule } from './config.module.js';
import { EngineModule } from './engine/engine.module.js';
import { Registry } from './engine/registry.js';
import { HttpModule } from './http/http.module.js';
import { OpenApiModule } from './http/openapi/openapi.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { loggingOf } from './logging.js';
import { Health } from './operations/health.js';
import { MetricsModule } from './operations/metrics/metrics.module.js';
import { Stalls } from './operations/stalls.js';
import { StoresModule } from './stores/stores.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

const areas = [IdentityModule, WebhooksModule, CommunityModule, CommerceModule];

@Module({ imports: [StoresModule, EngineModule, MetricsModule, HttpModule, OpenApiModule, ...areas], providers: [Health, Stalls] })
export class AppModule {
  constructor(registry: Registry, { reactorParts }: Config) {
    registry.reactorParts = reactorParts;
  }

  static with(config: Config, more: readonly Type[] = []): DynamicModule {
    return { module: AppModule, imports: [ConfigModule.with(config), LoggerModule.forRoot(loggingOf(config)), ...more] };
  }
}
