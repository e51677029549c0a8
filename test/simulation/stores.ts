import type { Clock } from '../../src/kernel/clock.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { Jobs } from '../../src/kernel/jobs.js';
import type { Projection } from '../../src/kernel/projection.js';
import { ReadModels } from '../../src/kernel/read-models.js';
import { Vault } from '../../src/kernel/vault.js';
import { MemoryVault } from '../support/memory/vault.js';
import type { AlongTheWay } from './along-the-way.js';
import type { Assembly } from './assembly.js';
import { ClusterStore } from './cluster/cluster-store.js';
import type { Leadership } from './cluster/leadership.js';
import { NodeStore } from './cluster/node-store.js';
import type { Line } from './line.js';
import { Liveness } from './liveness.js';
import { reach } from './reach.js';
import { WatchedJobs } from './watched-jobs.js';
import { WatchedLog } from './watched-log.js';
import { WatchedReadModels } from './watched-read-models.js';

/** The stores that all processes share, with their own clock. */
export class SharedStores {
  readonly events: WatchedLog;
  readonly readModels: WatchedReadModels;
  readonly jobs: WatchedJobs;
  readonly vault = new MemoryVault();
  readonly liveness = new Liveness();
  private leadership: Leadership | null = null;

  constructor(clock: Clock, projections: () => readonly Projection<object>[], watch: AlongTheWay) {
    this.events = new WatchedLog(clock, watch);
    this.readModels = new WatchedReadModels(clock, this.events, projections);
    this.jobs = new WatchedJobs(clock, this.liveness);
  }

  /** Copies documents, checkpoints, leases and jobs, but not the log; returns a function that restores them. */
  copied(): () => void {
    const models = this.readModels.copied();
    const jobs = structuredClone(this.jobs.entries);
    return () => {
      this.readModels.bringBack(models);
      this.jobs.bringBack(jobs);
    };
  }

  /** Makes the log a cluster. */
  lead(leadership: Leadership): void {
    this.leadership = leadership;
  }

  private log(line: Line, clock: Clock): EventStore {
    if (this.leadership === null) return reach<EventStore>(this.events, 'events', line);
    return new ClusterStore(reach<EventStore>(new NodeStore(line.life.name, this.events, this.leadership), 'events', line), clock);
  }

  /** Provides the stores to a process over its simulated connection. */
  provideTo(assembly: Assembly, line: Line, clock: Clock): void {
    assembly
      .provide(EventStore, this.log(line, clock))
      .provide(ReadModels, reach<ReadModels>(this.readModels, 'read models', line))
      .provide(Jobs, reach<Jobs>(this.jobs, 'jobs', line))
      .provide(Vault, reach<Vault>(this.vault, 'vault', line));
  }
}
