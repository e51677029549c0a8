import { Baselines } from '../../../src/engine/streams/baselines.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createJsonBaseline } from '../../../src/kernel/decider.js';
import { EagerClock, SeededRandom, waitUntilIdle } from '../../support/clock.js';
import { createContext, jar } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const longJar = { ...jar, baseline: createJsonBaseline<object>(1) } as unknown as typeof jar;
const addCoin = { type: 'AddCoins', jarId: 'till_1', coins: 1 } as const;

describe('A stream of more than 200 events', () => {
  const clock = new EagerClock();
  let store: MemoryEventStore;
  let models: MemoryReadModels;
  beforeEach(async () => {
    [store, models] = [new MemoryEventStore(clock), new MemoryReadModels(clock)];
    const streams = process();
    for (let i = 0; i < 450; i++) await streams.execute(longJar, 'till_1', addCoin, createContext(`coin ${i}`));
    await waitUntilIdle();
  });

  it('is read by another process from its baseline on', async () => {
    const reads = readsOf(store);

    expect(await process(2).loadState(longJar, 'till_1')).toMatchObject({ coins: 450 });
    expect(Math.min(...reads)).toBeGreaterThanOrEqual(400);
  });

  it('has a baseline at its end once a process has read it as a whole', async () => {
    await models.dropCollection('baselines');
    await process(2).loadState(longJar, 'till_1');
    await waitUntilIdle();
    const reads = readsOf(store);
    await process(3).loadState(longJar, 'till_1');

    expect(Math.min(...reads)).toBe(449);
  });

  it('is not read for an outcome whose history is not requested', async () => {
    const streams = process(2);
    await streams.loadState(longJar, 'till_1');
    const reads = readsOf(store);
    const outcome = await streams.execute(longJar, 'till_1', addCoin, createContext('one more'));

    expect(outcome.state).toMatchObject({ coins: 451 });
    expect(reads).toEqual([]);
    expect(await outcome.loadHistory()).toHaveLength(451);
  });

  it('knows its latest commands after a read from a baseline', async () => {
    expect((await process(2).execute(longJar, 'till_1', addCoin, createContext('coin 150'))).repeated).toBe(true);
    expect(store.log).toHaveLength(450);
  });

  it('is read as a whole when its baseline belongs to another log', async () => {
    const other = new MemoryEventStore(clock);
    const streams = process(3, other);
    for (let i = 0; i < 420; i++) await streams.execute(jar, 'till_1', addCoin, createContext(`other coin ${i}`));

    expect(await process(4, other).loadState(longJar, 'till_1')).toMatchObject({ coins: 420 });
  });

  it('is read as a whole by code that knows other events than the code that stored the baseline', async () => {
    const reads = readsOf(store);
    const newer = { ...longJar, versions: { ...longJar.versions, CoinsTaken: 1 } } as unknown as typeof longJar;

    expect(await process(2).loadState(newer, 'till_1')).toMatchObject({ coins: 450 });
    expect(reads[0]).toBe(0);
  });

  it('is read as a whole when its baselines are missing', async () => {
    await models.dropCollection('baselines');

    expect(await process(2).loadState(longJar, 'till_1')).toMatchObject({ coins: 450 });
  });

  function process(seed = 1, log = store): Streams {
    return new Streams(log, clock, new SeededRandom(seed), new Baselines(models));
  }
});

/** Records the start revisions of store reads from now on. */
function readsOf(store: MemoryEventStore): number[] {
  const reads: number[] = [];
  const read = store.readStream.bind(store);
  store.readStream = (stream, options) => {
    reads.push(options?.from ?? 0);
    return read(stream, options);
  };
  return reads;
}
