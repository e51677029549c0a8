import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { AppModule } from '../../src/app.module.js';
import { readConfig } from '../../src/config.js';
import { Registry } from '../../src/engine/registry.js';
import type { Recorded } from '../../src/kernel/event.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { START, type Position } from '../../src/kernel/position.js';
import { ReadModels } from '../../src/kernel/read-models.js';
import { Stores } from '../../src/stores/stores.js';
import { TEST_ENVIRONMENT } from './service-process.js';

const AT_ONCE = 1_000;

/** What a store holds, seen from beside the service: the same wiring on the same file, with the engine at rest. */
export class Evidence {
  readonly registry: Registry;
  readonly events: EventStore;
  readonly readModels: ReadModels;

  private constructor(private readonly context: INestApplicationContext) {
    this.registry = context.get(Registry, { strict: false });
    this.events = context.get(EventStore, { strict: false });
    this.readModels = context.get(ReadModels, { strict: false });
  }

  static async open(dataDir: string): Promise<Evidence> {
    const { config } = readConfig({ ...TEST_ENVIRONMENT, DATA_DIR: dataDir });
    const context = await NestFactory.createApplicationContext(AppModule.with(config), { logger: false, abortOnError: false });
    return new Evidence(context);
  }

  /** Every event behind a position, in log order. */
  async log(behind: Position = START): Promise<Recorded[]> {
    const log: Recorded[] = [];
    for (let after = behind, more = true; more;) {
      const page = await this.events.readAll({ after, limit: AT_ONCE });
      log.push(...page.events);
      after = page.next;
      more = !page.caughtUp;
    }
    return log;
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.context.get(Stores, { strict: false }).close();
  }
}
