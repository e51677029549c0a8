import { Streams } from '../../../src/engine/streams/streams.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { createContext, jar } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

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
});
