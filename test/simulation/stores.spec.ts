import { EventStore } from '../../src/kernel/event-store.js';
import { Jobs } from '../../src/kernel/jobs.js';
import { ReadModels } from '../../src/kernel/read-models.js';
import { Vault } from '../../src/kernel/vault.js';
import { eventStoreContract } from '../contracts/event-store.contract.js';
import { jobsContract } from '../contracts/jobs.contract.js';
import type { Open } from '../contracts/opened.js';
import { readModelsContract } from '../contracts/read-models.contract.js';
import { vaultContract } from '../contracts/vault.contract.js';
import { ManualClock } from '../support/clock.js';
import { AlongTheWay } from './along-the-way.js';
import { Assembly } from './assembly.js';
import { Life } from './life.js';
import { Line } from './line.js';
import { Luck } from './luck.js';
import { Network } from './network.js';
import { SharedStores } from './stores.js';
import { EagerTimeline } from './timeline.js';
import { Trace } from './trace.js';

const UNJUDGED = { now: () => 0, isUndisturbed: () => false, senderOf: () => null, hasStoodStill: () => false };

/** Runs the store contracts over the simulated network without faults. */
eventStoreContract('simulated stores', opening(EventStore));
readModelsContract('simulated stores', opening(ReadModels));
jobsContract('simulated stores', opening(Jobs));
vaultContract('simulated stores', opening(Vault));

function opening<S>(Port: abstract new () => S): Open<S> {
  return async () => {
    const timeline = new EagerTimeline();
    const luck = new Luck(1);
    const life = new Life('process-1', timeline, luck);
    const clock = new ManualClock();
    const parts = new Assembly();
    new SharedStores(clock, () => [], new AlongTheWay(UNJUDGED)).provideTo(
      parts,
      new Line(life, new Network(timeline, luck), new Trace(timeline)),
      clock,
    );
    const store = parts.get(Port);
    return { store, now: () => clock.now(), pass: (ms) => clock.advance(ms), reopen: async () => store, close: async () => undefined };
  };
}
