import { StreamCache } from '../../../src/engine/streams/stream-cache.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import { EagerClock } from '../../support/clock.js';
import { coinsAdded, jar } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

const STREAM = 'jar-a';

/** Returns the events of one command. */
function createAppend(commandId: string, size: number): NewEvent[] {
  return Array.from({ length: size }, (_, i) => {
    const event = coinsAdded('a', `${commandId}-${i}`);
    return { ...event, meta: { ...event.meta, commandId } };
  });
}

/** Records appends of these sizes, and finds the end of the append of the event at a revision. */
async function findEnd(sizes: readonly number[], revision: number, isCached: boolean): Promise<number> {
  const clock = new EagerClock();
  const store = new MemoryEventStore(clock);
  const cache = new StreamCache(store, clock, null);
  let last = -1;
  for (const [i, size] of sizes.entries()) {
    const { revision: end } = await store.append(STREAM, last < 0 ? 'none' : last, createAppend(`command ${i}`, size));
    last = end;
  }
  if (isCached) await cache.load(jar, STREAM);
  for await (const event of store.readStream(STREAM, { from: revision, limit: 1 })) return cache.findAppendEnd(event);
  throw new Error(`there is no event ${revision}`);
}

describe('The end of an append', () => {
  it.each([
    ['of one event, the only one', [1], 0, 0],
    ['of one event before another', [1, 1], 0, 0],
    ['in the middle, from its first event', [2, 3, 1], 2, 4],
    ['in the middle, from its last event', [2, 3, 1], 4, 4],
    ['at the end of the stream', [2, 3], 3, 4],
    ['of as many events as one read returns, and the event itself', [11], 0, 10],
    ['of as many events, before another', [11, 1], 0, 10],
    ['of one event more than that', [12], 0, 11],
    ['of one event more, before another', [12, 4], 0, 11],
    ['of many reads', [1, 57, 3], 1, 57],
  ])('%s, is found with and without the cached stream', async (_, sizes, revision, end) => {
    expect(await findEnd(sizes, revision, true)).toBe(end);
    expect(await findEnd(sizes, revision, false)).toBe(end);
  });
});
