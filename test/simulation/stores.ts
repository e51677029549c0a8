import { BuildCatalogue } from '../../src/kernel/build-catalogue.js';
import { Checkpoints } from '../../src/kernel/checkpoints.js';
import type { Clock } from '../../src/kernel/clock.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { Jobs } from '../../src/kernel/jobs.js';
import { Leases } from '../../src/kernel/leases.js';
import type { Projection } from '../../src/kernel/projection.js';
import { ReadModels } from '../../src/kernel/read-models.js';
import { Vault } from '../../src/kernel/vault.js';
import { MemoryVault } from '../support/memory/vault.js';
import { CheckedJobs } from './checked-jobs.js';
import { CheckedLog } from './checked-log.js';
import { CheckedReadModels } from './checked-read-models.js';
import { ClusterStore } from './cluster/cluster-store.js';
import type { Leadership } from './cluster/leadership.js';
import { NodeStore } from './cluster/node-store.js';
import type { Container } from './container.js';
import { wrapPort } from './faulty-ports.js';
import { Liveness } from './liveness.js';
import type { OnlineChecks } from './online-checks.js';
import type { StoreConnection } from './store-connection.js';

/** The stores that all processes share, with their own clock. */
export class SharedStores {
  readonly events: CheckedLog;
  readonly readModels: CheckedReadModels;
  readonly jobs: CheckedJobs;
  readonly vault = new MemoryVault();
  readonly liveness = new Liveness();
  private leadership: Leadership | null = null;

  constructor(clock: Clock, projections: () => readonly Projection<object>[], watch: OnlineChecks) {
    this.events = new CheckedLog(clock, watch);
    this.readModels = new CheckedReadModels(clock, this.events, projections);
    this.jobs = new CheckedJobs(clock, this.liveness);
  }

  /** Copies documents, checkpoints, leases and jobs, but not the log; returns a function that restores them. */
  copy(): () => void {
    const models = this.readModels.copy();
    const jobs = structuredClone(this.jobs.entries);
    return () => {
      this.readModels.restoreCopy(models);
      this.jobs.restoreCopy(jobs);
    };
  }

  /** Makes the log a cluster. */
  useCluster(leadership: Leadership): void {
    this.leadership = leadership;
  }

  private createLog(line: StoreConnection, clock: Clock): EventStore {
    if (this.leadership === null) return wrapPort<EventStore>(this.events, 'events', line);
    return new ClusterStore(
      wrapPort<EventStore>(new NodeStore(line.lifecycle.name, this.events, this.leadership), 'events', line),
      clock,
    );
  }

  /** Provides the stores to a process over its simulated connection. */
  provideTo(assembly: Container, line: StoreConnection, clock: Clock): void {
    const readModels = wrapPort(this.readModels, 'read models', line);
    assembly
      .provide(EventStore, this.createLog(line, clock))
      .provide(ReadModels, readModels)
      .provide(Checkpoints, readModels)
      .provide(Leases, readModels)
      .provide(BuildCatalogue, readModels)
      .provide(Jobs, wrapPort<Jobs>(this.jobs, 'jobs', line))
      .provide(Vault, wrapPort<Vault>(this.vault, 'vault', line));
  }
}
