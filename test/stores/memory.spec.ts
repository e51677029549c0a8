import { describeEventStore } from '../contracts/event-store.contract.js';
import { describeJobs } from '../contracts/jobs.contract.js';
import type { OpenStoreFunction } from '../contracts/open-store.js';
import { describeReadModels } from '../contracts/read-models.contract.js';
import { ManualClock } from '../support/clock.js';
import { MemoryEventStore } from '../support/memory/event-store.js';
import { MemoryJobs } from '../support/memory/jobs.js';
import { MemoryReadModels, toPorts } from '../support/memory/read-models.js';

/** The in-memory stores of the engine's tests fulfil the same contracts as the real ones. */
describeEventStore(
  'the memory',
  createOpen((clock) => new MemoryEventStore(clock)),
);
describeReadModels(
  'the memory',
  createOpen((clock) => toPorts(new MemoryReadModels(clock))),
);
describeJobs(
  'the memory',
  createOpen((clock) => new MemoryJobs(clock)),
);

function createOpen<S>(create: (clock: ManualClock) => S): OpenStoreFunction<S> {
  return async () => {
    const clock = new ManualClock();
    const store = create(clock);
    return {
      store,
      now: () => clock.now(),
      advanceTime: (ms) => clock.advance(ms),
      reopen: async () => store,
      close: async () => undefined,
    };
  };
}
