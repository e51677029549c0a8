import { Config } from '../../../src/config/config.js';
import { Keys } from '../../../src/engine/encryption/keys.js';
import { Engine } from '../../../src/engine/engine.js';
import { Registry } from '../../../src/engine/registry.js';
import { BuildCatalogue } from '../../../src/kernel/build-catalogue.js';
import { Checkpoints } from '../../../src/kernel/checkpoints.js';
import { Clock, Random } from '../../../src/kernel/clock.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { Leases } from '../../../src/kernel/leases.js';
import { ProcessId } from '../../../src/kernel/process-id.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { Vault } from '../../../src/kernel/vault.js';
import { Container } from '../../simulation/container.js';
import { ManualClock, SeededRandom } from '../clock.js';
import { TEST_KEYS } from '../keys.js';
import { MemoryEventStore } from './event-store.js';
import { MemoryJobs } from './jobs.js';
import { MemoryReadModels } from './read-models.js';
import { MemoryVault } from './vault.js';

/** Stores in memory under a clock that the test advances, and a container that provides them to one process. */
export class MemoryContainer extends Container {
  readonly clock = new ManualClock();
  readonly events = new MemoryEventStore(this.clock);
  readonly readModels = new MemoryReadModels(this.clock);
  readonly jobs = new MemoryJobs(this.clock);

  constructor(config: Config) {
    super();
    this.provide(Clock, this.clock)
      .provide(Random, new SeededRandom())
      .provide(ProcessId, new ProcessId('process-1'))
      .provide(Keys, TEST_KEYS)
      .provide(Config, config)
      .provide(Registry, new Registry())
      .provide(EventStore, this.events)
      .provide(ReadModels, this.readModels)
      .provide(Checkpoints, this.readModels)
      .provide(Leases, this.readModels)
      .provide(BuildCatalogue, this.readModels)
      .provide(Jobs, this.jobs)
      .provide(Vault, new MemoryVault());
  }

  /** Starts the engine with everything in the registry. */
  async start(): Promise<void> {
    const started = this.get(Engine).start();
    await this.clock.advance(1_000);
    await started;
  }

  async stop(): Promise<void> {
    const stopped = this.get(Engine).stop();
    await this.clock.advance(10_000);
    await stopped;
  }
}
