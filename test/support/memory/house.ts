import type { NewEvent } from '../../../src/kernel/event.js';
import type { EventStore } from '../../../src/kernel/event-store.js';
import type { Versions } from '../../../src/kernel/upcasting.js';
import { Builds } from '../../../src/engine/builds/builds.js';
import { DeadLetterDesk } from '../../../src/engine/projecting/dead-letter-desk.js';
import { BuildOperator } from '../../../src/engine/builds/operator.js';
import { Engine } from '../../../src/engine/engine.js';
import { Holder } from '../../../src/kernel/holder.js';
import { Registry, type Wiring } from '../../../src/engine/registry.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { Views } from '../../../src/engine/reading/views.js';
import { upcasting } from '../../../src/engine/upcasting-store.js';
import { Waiters } from '../../../src/engine/following/waiters.js';
import { ManualClock, SeededRandom } from '../clock.js';
import { TEST_KEYS } from '../keys.js';
import { FaultyEventStore } from './faulty-event-store.js';
import { FaultyReadModels } from './faulty-read-models.js';
import { MemoryJobs } from './jobs.js';
import { Life } from './mortal.js';

/** Stores in memory, shared by any number of processes, under one clock. */
export class House {
  readonly clock = new ManualClock();
  readonly store = new FaultyEventStore(this.clock);
  readonly readModels = new FaultyReadModels(this.clock);
  readonly jobs = new MemoryJobs(this.clock);

  process(wiring: Wiring, holder = 'process 1') {
    const { store, readModels, jobs } = this;
    return this.processOn({ store, readModels, jobs }, wiring, holder);
  }

  /** Creates a process whose code supports only these event versions. */
  processKnowing(versions: Versions, wiring: Wiring, holder = 'process 1') {
    const { readModels, jobs } = this;
    return this.processOn({ store: upcasting(this.store, {}, versions), readModels, jobs }, wiring, holder);
  }

  /** Creates a process that `kill` can end between any two awaits. */
  mortal(wiring: (ports: Pick<House, 'store' | 'jobs'>) => Wiring, holder: string) {
    const life = new Life(this.clock, new SeededRandom(seedOf(holder)));
    const ports = { store: life.reach(this.store), readModels: life.reach(this.readModels), jobs: life.reach(this.jobs) };
    return { ...this.processOn(ports, wiring(ports), holder), kill: () => life.end() };
  }

  /** Appends to the end of the stream. */
  async write(stream: string, ...events: NewEvent[]): Promise<string> {
    const revision = this.store.log.filter((event) => event.stream === stream).length - 1;
    return (await this.store.append(stream, revision < 0 ? 'none' : revision, events)).position;
  }

  async documents(collection: string): Promise<unknown[]> {
    return this.readModels.find(collection, { where: {}, orderBy: 'id', ascending: true, limit: 1_000 });
  }

  private processOn(
    { store, readModels, jobs }: Pick<House, 'readModels' | 'jobs'> & { readonly store: EventStore },
    wiring: Wiring,
    holder: string,
  ) {
    const random = new SeededRandom(seedOf(holder));
    const registry = new Registry();
    registry.add(wiring);
    const waiters = new Waiters(readModels, this.clock);
    const builds = new Builds(readModels, store, waiters, this.clock);
    const streams = new Streams(store, this.clock, random);
    return {
      registry,
      streams,
      desk: new DeadLetterDesk(store, readModels, this.clock, registry, builds, streams),
      waiters,
      builds,
      operator: new BuildOperator(store, readModels, registry, builds, this.clock, random, new Holder(`${holder}’s operator`)),
      views: new Views(readModels, builds, store, TEST_KEYS),
      engine: new Engine(store, readModels, jobs, registry, waiters, this.clock, random, new Holder(holder), builds),
    };
  }
}

/** Derives a separate random seed for each process. */
function seedOf(holder: string): number {
  return [...holder].reduce((seed, character) => Math.imul(seed, 31) + character.charCodeAt(0), 7);
}
