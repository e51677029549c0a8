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

function createMemoryStores() {
  const clock = new ManualClock();
  return {
    clock,
    events: new MemoryEventStore(clock),
    readModels: new MemoryReadModels(clock),
    jobs: new MemoryJobs(clock),
    vault: new MemoryVault(),
  };
}

/** Stores in memory under a clock that the test advances, and a container that provides them to one process. */
export class MemoryContainer extends Container {
  constructor(
    config: Config,
    name = 'process-1',
    private readonly stores = createMemoryStores(),
  ) {
    super();
    this.provide(Clock, this.clock)
      .provide(Random, new SeededRandom())
      .provide(ProcessId, new ProcessId(name))
      .provide(Keys, TEST_KEYS)
      .provide(Config, config)
      .provide(Registry, Object.assign(new Registry(), { reactorParts: config.reactorParts }))
      .provide(EventStore, this.events)
      .provide(ReadModels, this.readModels)
      .provide(Checkpoints, this.readModels)
      .provide(Leases, this.readModels)
      .provide(BuildCatalogue, this.readModels)
      .provide(Jobs, this.jobs)
      .provide(Vault, this.stores.vault);
  }

  get clock(): ManualClock {
    return this.stores.clock;
  }

  get events(): MemoryEventStore {
    return this.stores.events;
  }

  get readModels(): MemoryReadModels {
    return this.stores.readModels;
  }

  get jobs(): MemoryJobs {
    return this.stores.jobs;
  }

  /** Creates another process on the same stores. */
  createOther(name: string): MemoryContainer {
    return new MemoryContainer(this.get(Config), name, this.stores);
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
