import { AsyncSignal } from '../../../src/engine/async-signal.js';
import { Follower } from '../../../src/engine/consumers/follower.js';
import {
  type EventPage,
  type FollowOptions,
  type ReadAllOptions,
  StoreUnavailable,
} from '../../../src/kernel/event-store.js';
import type { Position } from '../../../src/kernel/position.js';
import { ManualClock, SeededRandom, waitUntilIdle } from '../../support/clock.js';
import { coinsAdded } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

class CountedEventStore extends MemoryEventStore {
  reads = 0;

  override readAll(options: ReadAllOptions) {
    this.reads++;
    return super.readAll(options);
  }
}

it('A follower reads dispatched events once for concurrent readers of a position, and again for later ones', async () => {
  const clock = new ManualClock();
  const store = new CountedEventStore(clock);
  const follower = new Follower(store, clock, new SeededRandom());
  const [first, second] = await Promise.all([follower.readAfter(''), follower.readAfter('')]);
  const third = await follower.readAfter('');

  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(store.reads).toBe(2);
});

/** Reads from a lagging node until this process confirms a later position. */
class LaggingEventStore extends MemoryEventStore {
  private isKnown = false;

  override async readAll(options: ReadAllOptions): Promise<EventPage> {
    return super.readAll(this.isKnown ? options : { ...options, before: this.log.at(-1)!.position });
  }

  override async confirmPosition(): Promise<Position> {
    this.isKnown = true;
    return super.confirmPosition();
  }
}

it('A runner that catches up with a checkpoint of another process misses no event of a lagging node', async () => {
  const clock = new ManualClock();
  const store = new LaggingEventStore(clock);
  await store.append('jar-a', 'none', [coinsAdded('a', '1'), coinsAdded('a', '2')]);
  const follower = new Follower(store, clock, new SeededRandom());
  follower.position = await store.readHead();

  const { events, next } = await follower.readAfter('');
  expect(events).toHaveLength(2);
  expect(next).toBe(follower.position);
});

class RefusingEventStore extends MemoryEventStore {
  refusals = 3;

  override async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<EventPage> {
    if (this.refusals-- > 0) throw new StoreUnavailable('you may not', false);
    yield { events: [], next: options.after, caughtUp: true };
    yield* super.follow(options, signal);
  }
}

it('A refused follower reports its failure until it follows again, even without new events', async () => {
  const clock = new ManualClock();
  const follower = new Follower(new RefusingEventStore(clock), clock, new SeededRandom());
  const stopping = new AbortController();
  follower.attach(new AsyncSignal(clock));
  const running = follower.run('', stopping.signal);
  await waitUntilIdle();
  expect(follower.failing).toMatchObject({ error: 'StoreUnavailable: you may not' });

  await clock.advance(10_000);
  expect(follower.failing).toBeNull();
  stopping.abort();
  await running.catch(() => undefined);
});
