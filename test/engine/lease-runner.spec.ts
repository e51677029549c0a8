import { LeaseRunner } from '../../src/engine/lease-runner.js';
import { StoreUnavailable } from '../../src/kernel/event-store.js';
import { ManualClock, SeededRandom } from '../support/clock.js';
import { MemoryReadModels } from '../support/memory/read-models.js';

/** A lease store that one holder may not reach. */
class LeaseStore extends MemoryReadModels {
  readonly cutOff = new Set<string>();
  /** Pending calls complete when this promise resolves. */
  congestion: Promise<void> = Promise.resolve();
  acquired = 0;

  override async acquireLease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    this.acquired++;
    await this.congestion;
    if (this.cutOff.has(holder)) throw new StoreUnavailable('cut off', false);
    return super.acquireLease(name, holder, ttlMs);
  }
}

/** A clock whose timers end a millisecond early, as those of the system may. */
class EarlyClock extends ManualClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(Math.max(1, ms - 1), signal);
  }
}

function holders(...names: string[]) {
  const clock = new ManualClock();
  const store = new LeaseStore(clock);
  const holding = new Set<string>();
  const stops = names.map((holder, i) => {
    const stop = new AbortController();
    void new LeaseRunner(store, clock, new SeededRandom(i), holder).hold('work', stop.signal, async (held) => {
      holding.add(holder);
      await waitUntilLost(held);
      holding.delete(holder);
    });
    return () => stop.abort();
  });
  return { clock, store, holding, stops };
}

async function waitUntilLost(held: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => held.addEventListener('abort', () => resolve(), { once: true }));
}

describe('A lease', () => {
  it('is held by one holder without a time limit', async () => {
    const { clock, holding } = holders('a', 'b', 'c');
    for (let i = 0; i < 60; i++) {
      await clock.advance(1_000);
      expect([...holding]).toEqual(['a']);
    }
  });

  it('goes to another holder when its holder stops', async () => {
    const { clock, holding, stops } = holders('a', 'b');
    await clock.advance(5_000);
    stops[0]!();
    await clock.advance(1_000);
    expect([...holding]).toEqual(['b']);
  });

  it('is given up by a holder that cannot renew it, before another can acquire it', async () => {
    const { clock, store, holding } = holders('a', 'b');
    await clock.advance(1_000);
    store.cutOff.add('a');
    let most = 0;
    for (let i = 0; i < 200; i++) {
      await clock.advance(100);
      most = Math.max(most, holding.size);
    }
    expect(most).toBe(1);
    expect([...holding]).toEqual(['b']);
  });

  it('is given up two seconds before it expires by a holder that cannot renew it', async () => {
    const { clock, store, holding } = holders('a');
    await clock.advance(3_000);
    store.cutOff.add('a');
    await clock.advance(7_999);
    expect([...holding]).toEqual(['a']);
    await clock.advance(1);
    expect([...holding]).toEqual([]);
  });

  it('is given up at once by a holder that finds another holder', async () => {
    const { clock, store, holding } = holders('a');
    await clock.advance(1_000);
    await store.releaseLease('work', 'a');
    await store.acquireLease('work', 'b', 60_000);
    await clock.advance(3_000);
    expect([...holding]).toEqual([]);
  });

  it('survives one failed renewal', async () => {
    const { clock, store, holding } = holders('a', 'b');
    await clock.advance(1_000);
    store.cutOff.add('a');
    await clock.advance(3_000);
    store.cutOff.clear();
    await clock.advance(20_000);
    expect([...holding]).toEqual(['a']);
  });

  it('stays free when its holder stops during a renewal', async () => {
    const { clock, store, stops } = holders('a');
    await clock.advance(1_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    store.congestion = promise;
    await clock.advance(3_000);
    stops[0]!();
    await clock.advance(1_000);
    resolve();
    await clock.advance(1_000);
    expect(await store.acquireLease('work', 'b', 1_000)).not.toBeNull();
  });

  it('is renewed once for each interval when timers end early', async () => {
    const clock = new EarlyClock();
    const store = new LeaseStore(clock);
    const stop = new AbortController();
    void new LeaseRunner(store, clock, new SeededRandom(1), 'a').hold('work', stop.signal, waitUntilLost);
    await clock.advance(30_500);
    stop.abort();
    expect(store.acquired).toBe(1 + 10);
  });
});
