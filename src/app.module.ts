import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { EngineModule } from './engine/engine.module.js';
import { Registry } from './engine/registry.js';
import { AREA_MODULES } from './features.js';
import { HttpModule } from './http/http.module.js';
import { OpenApiModule } from './http/openapi/openapi.module.js';
import { MailModule } from './mail/mail.module.js';
import { BackgroundErrors } from './operations/health/background-errors.js';
import { Health } from './operations/health/health.js';
import { LagMonitor } from './operations/health/lag-monitor.js';
import { MetricsModule } from './operations/metrics/metrics.module.js';
import { toLoggerParams } from './startup/logging.js';
import { StoresModule } from './stores/stores.module.js';

@Module({
  imports: [StoresModule, EngineModule, MetricsModule, MailModule, HttpModule, OpenApiModule, ...AREA_MODULES],
  providers: [Health, LagMonitor, BackgroundErrors],
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
