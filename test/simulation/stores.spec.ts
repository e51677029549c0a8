import { BuildCatalogue } from '../../src/kernel/build-catalogue.js';
import { Checkpoints } from '../../src/kernel/checkpoints.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { Jobs } from '../../src/kernel/jobs.js';
import { Leases } from '../../src/kernel/leases.js';
import { ReadModels } from '../../src/kernel/read-models.js';
import { Vault } from '../../src/kernel/vault.js';
import { describeEventStore } from '../contracts/event-store.contract.js';
import { describeJobs } from '../contracts/jobs.contract.js';
import type { OpenStoreFunction } from '../contracts/open-store.js';
import { describeReadModels } from '../contracts/read-models.contract.js';
import { describeVault } from '../contracts/vault.contract.js';
import { ManualClock } from '../support/clock.js';
import { Container } from './container.js';
import { Network } from './network.js';
import { OnlineChecks } from './online-checks.js';
import { ProcessLifecycle } from './process-lifecycle.js';
import { SimulationRandom } from './seeded-random.js';
import { StoreConnection } from './store-connection.js';
import { SharedStores } from './stores.js';
import { EagerTimeline } from './timeline.js';
import { RunTrace } from './trace.js';

const NO_CONDITIONS = { now: () => 0, isUndisturbed: () => false, findSender: () => null, wasPaused: () => false };

/** Runs the store contracts over the simulated network without faults. */
describeEventStore(
  'simulated stores',
  createOpen((container) => container.get(EventStore)),
);
describeReadModels(
  'simulated stores',
  createOpen((container) => ({
    models: container.get(ReadModels),
    checkpoints: container.get(Checkpoints),
    leases: container.get(Leases),
    catalogue: container.get(BuildCatalogue),
  })),
);
describeJobs(
  'simulated stores',
  createOpen((container) => container.get(Jobs)),
);
describeVault(
  'simulated stores',
  createOpen((container) => container.get(Vault)),
);

function createOpen<S>(select: (container: Container) => S): OpenStoreFunction<S> {
  return async () => {
    const timeline = new EagerTimeline();
    const random = new SimulationRandom(1);
    const life = new ProcessLifecycle('process-1', timeline, random);
    const clock = new ManualClock();
    const parts = new Container();
    new SharedStores(clock, () => [], new OnlineChecks(NO_CONDITIONS)).provideTo(
      parts,
      new StoreConnection(life, new Network(timeline, random), new RunTrace(timeline)),
      clock,
    );
    const store = select(parts);
    return {
      store,
      now: () => clock.now(),
      advanceTime: (ms) => clock.advance(ms),
      reopen: async () => store,
      close: async () => undefined,
    };
  };
}
