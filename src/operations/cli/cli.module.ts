import 'reflect-metadata';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ConfigModule } from '../../config/config.module.js';
import { EngineModule } from '../../engine/engine.module.js';
import { Registry } from '../../engine/registry.js';
import { AREA_MODULES } from '../../features.js';
import { MailModule } from '../../mail/mail.module.js';
import { StoresModule } from '../../stores/stores.module.js';

/** The service for the command line: without HTTP, and with an engine that does not run. */
@Module({ imports: [StoresModule, EngineModule, MailModule, ...AREA_MODULES] })
export class CliModule {
  constructor(registry: Registry, { reactorParts }: Config) {
    registry.reactorParts = reactorParts;
  }

  static forRoot(config: Config, extraModules: readonly Type[] = []): DynamicModule {
    return { module: CliModule, imports: [ConfigModule.forRoot(config), ...extraModules] };
  }
}
