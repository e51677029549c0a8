import 'reflect-metadata';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { CommerceModule } from '../../commerce/commerce.module.js';
import { CommunityModule } from '../../community/community.module.js';
import { Config } from '../../config/config.js';
import { ConfigModule } from '../../config/config.module.js';
import { EngineModule } from '../../engine/engine.module.js';
import { Registry } from '../../engine/registry.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { StoresModule } from '../../stores/stores.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';

const areas = [IdentityModule, WebhooksModule, CommunityModule, CommerceModule, AuditModule];

/** The service for the command line: without HTTP, and with an engine that does not run. */
@Module({ imports: [StoresModule, EngineModule, MailModule, ...areas] })
export class CliModule {
  constructor(registry: Registry, { reactorParts }: Config) {
    registry.reactorParts = reactorParts;
  }

  static forRoot(config: Config, extraModules: readonly Type[] = []): DynamicModule {
    return { module: CliModule, imports: [ConfigModule.forRoot(config), ...extraModules] };
  }
}
