import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { Config, readConfig } from '../../src/config/config.js';
import { Registry } from '../../src/engine/registry.js';
import { BuildCatalogue } from '../../src/kernel/build-catalogue.js';
import { Checkpoints } from '../../src/kernel/checkpoints.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { type Position, START } from '../../src/kernel/position.js';
import { ReadModels } from '../../src/kernel/read-models.js';
import type { Ports } from '../../src/stores/ports.js';
import { Stores } from '../../src/stores/stores.js';
import { readWholeLog } from './read-whole-log.js';
import { type Environment, TEST_ENVIRONMENT } from './service-process.js';

/** Reads the stores of a service from outside: the same modules on the same file, without a running engine. */
export class StoreInspector {
  readonly registry: Registry;
  readonly events: EventStore;
  readonly readModels: ReadModels;
  readonly checkpoints: Checkpoints;
  readonly catalogue: BuildCatalogue;

  readonly config: Config;

  private constructor(private readonly context: INestApplicationContext) {
    this.config = context.get(Config, { strict: false });
    this.registry = context.get(Registry, { strict: false });
    this.events = context.get(EventStore, { strict: false });
    this.readModels = context.get(ReadModels, { strict: false });
    this.checkpoints = context.get(Checkpoints, { strict: false });
    this.catalogue = context.get(BuildCatalogue, { strict: false });
  }

  static async open(dataDir: string, environment: Environment = {}): Promise<StoreInspector> {
    const { config } = readConfig({ ...TEST_ENVIRONMENT, DATA_DIR: dataDir, ...environment });
    const context = await NestFactory.createApplicationContext(AppModule.forRoot(config), {
      logger: false,
      abortOnError: false,
    });
    return new StoreInspector(context);
  }

  /** The stores without upcasters. */
  get ports(): Ports {
    return this.context.get(Stores, { strict: false }).ports;
  }

  get<T>(type: Type<T>): T {
    return this.context.get(type, { strict: false });
  }

  /** Returns every event after a position, in log order. */
  readLog(after: Position = START): Promise<RecordedEvent[]> {
    return readWholeLog(this.events, after);
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.context.get(Stores, { strict: false }).close();
  }
}
