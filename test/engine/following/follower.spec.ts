import { Follower } from '../../../src/engine/following/follower.js';
import type { ReadAllOptions } from '../../../src/kernel/event-store.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

class CountedEventStore extends MemoryEventStore {
  reads = 0;

  override readAll(options: ReadAllOptions) {
    this.reads++;
    return super.readAll(options);
  }
}

it('What a follower has given out is read once for all who catch up from the same place, and anew for whoever comes later', async () => {
  const clock = new ManualClock();
  const store = new CountedEventStore(clock);
  const follower = new Follower(store, clock, new SeededRandom());
  const [first, second] = await Promise.all([follower.past(''), follower.past('')]);
  const third = await follower.past('');

  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(store.reads).toBe(2);
});
