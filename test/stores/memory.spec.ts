import { eventStoreContract } from '../contracts/event-store.contract.js';
import { jobsContract } from '../contracts/jobs.contract.js';
import type { Open } from '../contracts/opened.js';
import { readModelsContract } from '../contracts/read-models.contract.js';
import { ManualClock } from '../support/clock.js';
import { MemoryEventStore } from '../support/memory/event-store.js';
import { MemoryJobs } from '../support/memory/jobs.js';
import { MemoryReadModels } from '../support/memory/read-models.js';

/** The in-memory stores of the engine's tests fulfil the same contracts as the real ones. */
eventStoreContract('the memory', opening(MemoryEventStore));
readModelsContract('the memory', opening(MemoryReadModels));
jobsContract('the memory', opening(MemoryJobs));

function opening<S>(Store: new (clock: ManualClock) => S): Open<S> {
  return async () => {
    const clock = new ManualClock();
    const store = new Store(clock);
    return { store, now: () => clock.now(), pass: (ms) => clock.advance(ms), reopen: async () => store, close: async () => undefined };
  };
}
