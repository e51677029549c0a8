import { discountDecider } from '../../src/commerce/domain/discount.js';
import { testClockDecider } from '../../src/commerce/domain/test-clock.js';
import { TestClocks } from '../../src/commerce/test-clocks.js';
import { Streams } from '../../src/engine/streams/streams.js';
import type { Context } from '../../src/kernel/context.js';
import type { Mode } from '../../src/kernel/event.js';
import { ManualClock, SeededRandom } from '../support/clock.js';
import { freezeNewEvents, FREEZING } from '../support/histories.js';
import { createContext } from '../support/jar.js';
import { MemoryEventStore } from '../support/memory/event-store.js';

const REAL = '2026-02-01T09:00:00.000Z';
const MARCH = '2026-03-01T09:00:00.000Z';
const APRIL = '2026-04-01T09:00:00.000Z';

function startShop() {
  const clock = new ManualClock();
  const store = new MemoryEventStore(clock);
  const clocks = new TestClocks(store, clock, new SeededRandom());
  const streams = new Streams(store, clock, new SeededRandom(), undefined, clocks);
  const setClock = async (businessId: string, now: string) => {
    const commands = [
      { type: 'SetTestClock', businessId, now, latest: now },
      { type: 'ReachTarget', businessId, target: now },
    ] as const;
    for (const command of commands)
      await streams.execute(testClockDecider, businessId, command, createContext(`${command.type} ${now}`));
  };
  /** Returns the time in the data of a new event. */
  const readTimeOfDecision = async (context: Partial<Context> & { mode: Mode }) => {
    const terms = { code: 'SPRING', percentOff: 10, duration: 'once', months: null } as const;
    const discount = { discountId: 'dsc_1', businessId: 'biz_1', mode: context.mode, ...terms };
    const command = { type: 'CreateDiscount', discount } as const;
    const all = { ...createContext('create'), ...context };
    const { recorded } = await streams.execute(discountDecider, discount.discountId, command, all);
    expect(recorded[0]!.meta.at).toBe(REAL);
    return (recorded[0]!.data as { at: string }).at;
  };
  return { store, clocks, streams, setClock, readTimeOfDecision };
}

describe('The time of a decision', () => {
  it('is real time in test mode until the clock is set', async () => {
    const { readTimeOfDecision } = startShop();
    expect(await readTimeOfDecision({ mode: 'test' })).toBe(REAL);
  });

  it('is the time of the test clock in test mode', async () => {
    const { setClock, readTimeOfDecision, store } = startShop();
    await setClock('biz_1', MARCH);
    expect(await readTimeOfDecision({ mode: 'test' })).toBe(MARCH);
    if (FREEZING) await freezeNewEvents(store.log);
  });

  it('is how far the test clock has come while it advances', async () => {
    const { streams, readTimeOfDecision } = startShop();
    const businessId = 'biz_1';
    const start = { type: 'SetTestClock', businessId, now: APRIL, latest: APRIL } as const;
    await streams.execute(testClockDecider, businessId, start, createContext('start'));
    const advance = { type: 'AdvanceTestClock', businessId, now: MARCH } as const;
    await streams.execute(testClockDecider, businessId, advance, createContext('advance'));
    expect(await readTimeOfDecision({ mode: 'test' })).toBe(MARCH);
  });

  it('is the due time of a timer that runs', async () => {
    const { setClock, readTimeOfDecision } = startShop();
    await setClock('biz_1', APRIL);
    expect(await readTimeOfDecision({ mode: 'test', now: MARCH })).toBe(MARCH);
  });

  it('is real time in live mode', async () => {
    const { setClock, readTimeOfDecision } = startShop();
    await setClock('biz_1', MARCH);
    expect(await readTimeOfDecision({ mode: 'live' })).toBe(REAL);
  });

  it('follows the clock of its own business', async () => {
    const { setClock, readTimeOfDecision } = startShop();
    await setClock('biz_2', MARCH);
    expect(await readTimeOfDecision({ mode: 'test' })).toBe(REAL);
  });
});
