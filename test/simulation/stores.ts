import type { Clock } from '../../src/kernel/clock.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { Jobs } from '../../src/kernel/jobs.js';
import type { Projection } from '../../src/kernel/projection.js';
import { ReadModels } from '../../src/kernel/read-models.js';
import { Vault } from '../../src/kernel/vault.js';
import { MemoryEventStore } from '../support/memory/event-store.js';
import { MemoryVault } from '../support/memory/vault.js';
import type { Assembly } from './assembly.js';
import type { Line } from './line.js';
import { reach } from './reach.js';
import { WatchedJobs } from './watched-jobs.js';
import { WatchedReadModels } from './watched-read-models.js';

/** One set of stores for all processes, on a machine of its own. */
export class SharedStores {
  readonly events: MemoryEventStore;
  readonly readModels: WatchedReadModels;
  readonly jobs: WatchedJobs;
  readonly vault = new MemoryVault();

  constructor(clock: Clock, projections: () => readonly Projection<object>[]) {
    this.events = new MemoryEventStore(clock);
    this.readModels = new WatchedReadModels(clock, this.events, projections);
    this.jobs = new WatchedJobs(clock);
  }

  /** As a process reaches them over its line. */
  provideTo(assembly: Assembly, line: Line): void {
    assembly
      .provide(EventStore, reach<EventStore>(this.events, 'events', line))
      .provide(ReadModels, reach<ReadModels>(this.readModels, 'read models', line))
      .provide(Jobs, reach<Jobs>(this.jobs, 'jobs', line))
      .provide(Vault, reach<Vault>(this.vault, 'vault', line));
  }
}
