import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildOperator } from '../../src/engine/builds/build-operator.js';
import { Builds } from '../../src/engine/builds/builds.js';
import { Waiters } from '../../src/engine/consumers/waiters.js';
import { Engine } from '../../src/engine/engine.js';
import { ReadModelReader } from '../../src/engine/read-models/read-model-reader.js';
import { type Registrations, Registry } from '../../src/engine/registry.js';
import { Streams } from '../../src/engine/streams/streams.js';
import { SystemClock, SystemRandom } from '../../src/kernel/clock.js';
import { ProcessId } from '../../src/kernel/process-id.js';
import { type EmbeddedStores, openEmbedded } from '../../src/stores/embedded/embedded.js';
import { currentProcessId } from '../../src/stores/process-id.js';
import { TEST_KEYS } from './keys.js';

/** One file of the embedded store, shared by any number of engines with separate connections. */
export class EmbeddedCluster {
  /** Oldest first. */
  readonly stores: EmbeddedStores[] = [];
  private readonly engines: Engine[] = [];

  private constructor(private readonly folder: string) {}

  static async open(): Promise<EmbeddedCluster> {
    return new EmbeddedCluster(await mkdtemp(join(tmpdir(), 'engine-')));
  }

  /** Starts an engine with its own connections, as a process of the service does. */
  async startProcess(wiring: Registrations) {
    const process = await this.createProcess(wiring);
    this.engines.push(process.engine);
    await process.engine.start();
    return process;
  }

  /** Creates the parts of a process without starting its engine, as the command line does. */
  async createProcess(wiring: Registrations) {
    const stores = await openEmbedded({ file: join(this.folder, 'store.sqlite') });
    this.stores.push(stores);
    const { events, models, checkpoints, leases, catalogue, jobs } = stores;
    const [clock, random, holder, registry] = [
      new SystemClock(),
      new SystemRandom(),
      new ProcessId(currentProcessId()),
      new Registry(),
    ];
    registry.add(wiring);
    const waiters = new Waiters(checkpoints, clock);
    const builds = new Builds(catalogue, events, waiters, clock);
    return {
      stores,
      engine: new Engine(
        events,
        models,
        checkpoints,
        leases,
        catalogue,
        jobs,
        registry,
        waiters,
        clock,
        random,
        holder,
        builds,
      ),
      operator: new BuildOperator(events, models, checkpoints, leases, registry, builds, clock, random, holder),
      views: new ReadModelReader(models, builds, events, TEST_KEYS),
      streams: new Streams(events, clock, random),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.stop()));
    await Promise.all(this.stores.map((stores) => stores.close()));
    await rm(this.folder, { recursive: true });
  }
}
