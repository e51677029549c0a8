import { BuildOperator } from '../../../src/engine/builds/build-operator.js';
import { Builds } from '../../../src/engine/builds/builds.js';
import { Waiters } from '../../../src/engine/consumers/waiters.js';
import { Engine } from '../../../src/engine/engine.js';
import { DeadLetterAdmin } from '../../../src/engine/projections/dead-letter-admin.js';
import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { type Registrations, Registry } from '../../../src/engine/registry.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { withUpcasting } from '../../../src/engine/upcasting-store.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import type { EventStore } from '../../../src/kernel/event-store.js';
import { ProcessId } from '../../../src/kernel/process-id.js';
import type { Versions } from '../../../src/kernel/upcasting.js';
import { ManualClock, SeededRandom } from '../clock.js';
import { TEST_KEYS } from '../keys.js';
import { CrashableProcess } from './crashable-process.js';
import { FaultyEventStore } from './faulty-event-store.js';
import { FaultyReadModels } from './faulty-read-models.js';
import { MemoryJobs } from './jobs.js';

/** Stores in memory, shared by any number of processes, under one clock. */
export class TestCluster {
  readonly clock = new ManualClock();
  readonly store = new FaultyEventStore(this.clock);
  readonly readModels = new FaultyReadModels(this.clock);
  /** The other ports of the same store. */
  readonly checkpoints = this.readModels;
  readonly leases = this.readModels;
  readonly catalogue = this.readModels;
  readonly jobs = new MemoryJobs(this.clock);

  createProcess(wiring: Registrations, holder = 'process 1') {
    const { store, readModels, jobs } = this;
    return this.createProcessOn({ store, readModels, jobs }, wiring, holder);
  }

  /** Creates a process whose code supports only these event versions. */
  createOlderProcess(versions: Versions, wiring: Registrations, holder = 'process 1') {
    const { readModels, jobs } = this;
    return this.createProcessOn({ store: withUpcasting(this.store, {}, versions), readModels, jobs }, wiring, holder);
  }

  /** Creates a process that `kill` can end between any two awaits. */
  createCrashableProcess(wiring: (ports: Pick<TestCluster, 'store' | 'jobs'>) => Registrations, holder: string) {
    const lifecycle = new CrashableProcess(this.clock, new SeededRandom(deriveSeed(holder)));
    const ports = {
      store: lifecycle.wrap(this.store),
      readModels: lifecycle.wrap(this.readModels),
      jobs: lifecycle.wrap(this.jobs),
    };
    return { ...this.createProcessOn(ports, wiring(ports), holder), kill: () => lifecycle.crash() };
  }

  /** Appends to the end of the stream. */
  async append(stream: string, ...events: NewEvent[]): Promise<string> {
    const revision = this.store.log.filter((event) => event.stream === stream).length - 1;
    return (await this.store.append(stream, revision < 0 ? 'none' : revision, events)).position;
  }

  async readDocuments(collection: string): Promise<unknown[]> {
    return this.readModels.find(collection, { where: {}, orderBy: 'id', ascending: true, limit: 1_000 });
  }

  private createProcessOn(
    { store, readModels, jobs }: Pick<TestCluster, 'readModels' | 'jobs'> & { readonly store: EventStore },
    wiring: Registrations,
    holder: string,
  ) {
    const random = new SeededRandom(deriveSeed(holder));
    const registry = new Registry();
    registry.add(wiring);
    const waiters = new Waiters(readModels, this.clock);
    const builds = new Builds(readModels, store, waiters, this.clock);
    const streams = new Streams(store, this.clock, random);
    return {
      registry,
      streams,
      deadLetterAdmin: new DeadLetterAdmin(store, readModels, this.clock, registry, builds, streams),
      waiters,
      builds,
      operator: new BuildOperator(
        store,
        readModels,
        readModels,
        readModels,
        registry,
        builds,
        this.clock,
        random,
        new ProcessId(`${holder}’s operator`),
      ),
      views: new ReadModelReader(readModels, builds, store, TEST_KEYS),
      engine: new Engine(
        store,
        readModels,
        readModels,
        readModels,
        readModels,
        jobs,
        registry,
        waiters,
        this.clock,
        random,
        new ProcessId(holder),
        builds,
      ),
    };
  }
}

/** Derives a separate random seed for each process. */
function deriveSeed(holder: string): number {
  return [...holder].reduce((seed, character) => Math.imul(seed, 31) + character.charCodeAt(0), 7);
}
