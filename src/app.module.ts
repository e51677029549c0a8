import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { AuditModule } from './audit/audit.module.js';
import { CommerceModule } from './commerce/commerce.module.js';
import { CommunityModule } from './community/community.module.js';
import { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { EngineModule } from './engine/engine.module.js';
import { Registry } from './engine/registry.js';
import { HttpModule } from './http/http.module.js';
import { OpenApiModule } from './http/openapi/openapi.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { toLoggerParams } from './logging.js';
import { MailModule } from './mail/mail.module.js';
import { Health } from './operations/health/health.js';
import { LagMonitor } from './operations/health/lag-monitor.js';
import { MetricsModule } from './operations/metrics/metrics.module.js';
import { StoresModule } from './stores/stores.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

const areas = [IdentityModule, WebhooksModule, CommunityModule, CommerceModule, AuditModule];

@Module({
  imports: [StoresModule, EngineModule, MetricsModule, MailModule, HttpModule, OpenApiModule, ...areas],
  providers: [Health, LagMonitor],
})
export class AppModule {
  constructor(registry: Registry, { reactorParts }: Config) {
    registry.reactorParts = reactorParts;
  }

  static forRoot(config: Config, extraModules: readonly Type[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [ConfigModule.forRoot(config), LoggerModule.forRoot(toLoggerParams(config)), ...extraModules],
    };
  }
}
