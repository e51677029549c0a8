import { Follower } from '../../../src/engine/following/follower.js';
import { StoreUnavailable, type FollowOptions, type Page, type ReadAllOptions } from '../../../src/kernel/event-store.js';
import { ManualClock, SeededRandom, settled } from '../../support/clock.js';
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

class RefusingEventStore extends MemoryEventStore {
  refusals = 3;

  override async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    if (this.refusals-- > 0) throw new StoreUnavailable('you may not', false);
    yield { events: [], next: options.after, caughtUp: true };
    yield* super.follow(options, signal);
  }
}

it('A follower that was refused says so, and no more once it follows again, though nothing has happened', async () => {
  const clock = new ManualClock();
  const follower = new Follower(new RefusingEventStore(clock), clock, new SeededRandom());
  const stopping = new AbortController();
  const running = follower.run('', stopping.signal);
  await settled();
  expect(follower.failing).toMatchObject({ error: 'StoreUnavailable: you may not' });

  await clock.advance(10_000);
  expect(follower.failing).toBeNull();
  stopping.abort();
  await running.catch(() => undefined);
});
