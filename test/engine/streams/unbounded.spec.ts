import { Baselines } from '../../../src/engine/streams/baselines.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createJsonBaseline } from '../../../src/kernel/decider.js';
import { EagerClock, SeededRandom, waitUntilIdle } from '../../support/clock.js';
import { createContext, jar } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const unboundedJar = { ...jar, unbounded: true } as const;
const addCoin = { type: 'AddCoins', jarId: 'till_1', coins: 1 } as const;

describe('An unbounded stream', () => {
  const clock = new EagerClock();
  const store = new MemoryEventStore(clock);
  const streams = new Streams(store, clock, new SeededRandom());

  it('is never read as a whole for an outcome', async () => {
    for (let i = 0; i < 300; i++) await streams.execute(unboundedJar, 'till_1', addCoin, createContext(`coin ${i}`));
    const reads: (number | undefined)[] = [];
    const read = store.readStream.bind(store);
    store.readStream = (stream, options) => {
      reads.push(options?.from);
      return read(stream, options);
    };

    const added = await streams.execute(unboundedJar, 'till_1', addCoin, createContext('one more'));
    expect(added).toMatchObject({ state: { coins: 301 }, repeated: false });
    const again = await streams.execute(unboundedJar, 'till_1', addCoin, createContext('one more'));
    expect(again).toMatchObject({ state: { coins: 301 }, recorded: [], repeated: true });
    expect(reads.every((from) => from !== undefined && from >= 300)).toBe(true);
  });

  it('knows the commands of its first events', async () => {
    const other = new Streams(new MemoryEventStore(clock), clock, new SeededRandom());
    for (let i = 0; i < 3; i++) await other.execute(unboundedJar, 'till_1', addCoin, createContext(`coin ${i}`));

    const again = await other.execute(unboundedJar, 'till_1', addCoin, createContext('coin 0'));
    expect(again).toMatchObject({ state: { coins: 3 }, recorded: [], repeated: true });
  });

  it('knows its latest 100 commands', async () => {
    const other = new Streams(new MemoryEventStore(clock), clock, new SeededRandom());
    for (let i = 0; i < 150; i++) await other.execute(unboundedJar, 'till_1', addCoin, createContext(`coin ${i}`));

    const known = await other.execute(unboundedJar, 'till_1', addCoin, createContext('coin 50'));
    expect(known).toMatchObject({ state: { coins: 150 }, repeated: true });
    const forgotten = await other.execute(unboundedJar, 'till_1', addCoin, createContext('coin 49'));
    expect(forgotten).toMatchObject({ state: { coins: 151 }, repeated: false });
  });

  it('stores a baseline every 50 events', async () => {
    const models = new MemoryReadModels(clock);
    const saved: number[] = [];
    const upsert = models.upsert.bind(models);
    models.upsert = (collection, rows) => {
      saved.push(...rows.map(({ document }) => (document as unknown as { readonly revision: number }).revision));
      return upsert(collection, rows);
    };
    const process = new Streams(new MemoryEventStore(clock), clock, new SeededRandom(), new Baselines(models));
    const storedJar = { ...unboundedJar, baseline: createJsonBaseline<object>(1) } as unknown as typeof jar;
    for (let i = 0; i < 120; i++) await process.execute(storedJar, 'till_1', addCoin, createContext(`coin ${i}`));
    await waitUntilIdle();

    expect(saved).toEqual([49, 99]);
  });
});
