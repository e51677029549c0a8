import { Presence } from '../../src/engine/presence.js';
import { Holder } from '../../src/kernel/holder.js';
import { StoreUnavailable } from '../../src/kernel/event-store.js';
import { ManualClock, SeededRandom } from '../support/clock.js';
import { MemoryReadModels } from '../support/memory/read-models.js';

/** A store that is away for a while. */
class LeaseStore extends MemoryReadModels {
  isAway = false;

  override async lease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    if (this.isAway) throw new StoreUnavailable('away', false);
    return super.lease(name, holder, ttlMs);
  }
}

describe('Whoever serves a store', () => {
  let clock: ManualClock;
  let store: LeaseStore;
  beforeEach(() => {
    clock = new ManualClock();
    store = new LeaseStore(clock);
  });

  const process = (name: string) => new Presence(store, clock, new SeededRandom(), new Holder(name));
  const taken = () => process('an operator').taken();

  it('is known for as long as it does', async () => {
    expect(await taken()).toBeNull();
    const one = process('one');
    await one.begin();
    await clock.advance(3_600_000);
    expect(await taken()).toBe('process:1');
    await one.end();
    expect(await taken()).toBeNull();
  });

  it('is known when those who began before it have ended', async () => {
    const all = ['one', 'two', 'three'].map(process);
    for (const one of all) await one.begin();
    for (const one of all.slice(0, 2)) await one.end();
    expect(await taken()).toBe('process:3');
  });

  it('is known again once the store is back', async () => {
    const one = process('one');
    await one.begin();
    store.isAway = true;
    await clock.advance(60_000);
    store.isAway = false;
    expect(await taken()).toBeNull();
    await clock.advance(60_000);
    expect(await taken()).toBe('process:1');
    await one.end();
  });
});
