import { StreamCache } from '../../../src/engine/streams/stream-cache.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import type { NewEvent, RecordedEvent } from '../../../src/kernel/event.js';
import type { ReadStreamOptions } from '../../../src/kernel/event-store.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { coinsAdded, jar, jars } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

const STREAM = 'jar-a';

/** Returns the events of one command. */
function createAppend(commandId: string, size: number): NewEvent[] {
  return Array.from({ length: size }, (_, i) => {
    const event = coinsAdded('a', `${commandId}-${i}`);
    return { ...event, meta: { ...event.meta, commandId } };
  });
}

/** Records appends of these sizes, and finds the first and the last revision of the append of the event at a revision. */
async function findBounds(sizes: readonly number[], revision: number, isCached: boolean): Promise<[number, number]> {
  const clock = new EagerClock();
  const store = new MemoryEventStore(clock);
  const cache = new StreamCache(store, clock, null);
  let last = -1;
  for (const [i, size] of sizes.entries()) {
    const { revision: end } = await store.append(STREAM, last < 0 ? 'none' : last, createAppend(`command ${i}`, size));
    last = end;
  }
  if (isCached) await cache.load(jar, STREAM);
  for await (const event of store.readStream(STREAM, { from: revision, limit: 1 }))
    return [await cache.findAppendStart(event), await cache.findAppendEnd(event)];
  throw new Error(`there is no event ${revision}`);
}

describe('An append', () => {
  it.each([
    ['of one event, the only one', [1], 0, [0, 0]],
    ['of one event before another', [1, 1], 0, [0, 0]],
    ['in the middle, from its first event', [2, 3, 1], 2, [2, 4]],
    ['in the middle, from its last event', [2, 3, 1], 4, [2, 4]],
    ['at the end of the stream', [2, 3], 3, [2, 4]],
    ['of as many events as one read returns, and the event itself', [11], 0, [0, 10]],
    ['of as many events, before another', [11, 1], 0, [0, 10]],
    ['of one event more than that', [12], 0, [0, 11]],
    ['of one event more, before another', [12, 4], 0, [0, 11]],
    ['of many reads', [1, 57, 3], 1, [1, 57]],
    ['of many reads, from its last event', [1, 57, 3], 57, [1, 57]],
    ['after as many events as one read returns', [1, 11], 11, [1, 11]],
  ])('%s, is found with and without the cached stream', async (_, sizes, revision, bounds) => {
    expect(await findBounds(sizes, revision, true)).toEqual(bounds);
    expect(await findBounds(sizes, revision, false)).toEqual(bounds);
  });
});

/** Counts the events that it reads. */
class CountingStore extends MemoryEventStore {
  events = 0;

  override async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    for await (const event of super.readStream(stream, options)) {
      this.events++;
      yield event;
    }
  }
}

describe('The document before an append', () => {
  it('is read once for all events of the append, with the document after it', async () => {
    const clock = new EagerClock();
    const store = new CountingStore(clock);
    const streams = new Streams(store, clock, new SeededRandom(1));
    await store.append(STREAM, 'none', createAppend('first', 1_000));
    await store.append(STREAM, 999, createAppend('second', 3));
    const facts = await Array.fromAsync(store.readStream(STREAM, { from: 1_000 }));
    store.events = 0;

    for (const fact of facts) {
      expect(await streams.loadDocumentBefore(fact, jars, 'a')).toMatchObject({ coins: 1_000 });
      expect(await streams.loadDocumentAfter(fact, jars, 'a')).toMatchObject({ coins: 1_003 });
    }
    expect(store.events).toBeLessThan(1_003 + 50);
  });
});
