import { ProcessRegistry } from '../../src/engine/process-registry.js';
import { StoreUnavailable } from '../../src/kernel/event-store.js';
import { ProcessId } from '../../src/kernel/process-id.js';
import { ManualClock, SeededRandom } from '../support/clock.js';
import { MemoryReadModels } from '../support/memory/read-models.js';

/** A store with an outage. */
class LeaseStore extends MemoryReadModels {
  isAway = false;

  override async acquireLease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    if (this.isAway) throw new StoreUnavailable('away', false);
    return super.acquireLease(name, holder, ttlMs);
  }
}

describe('A process that serves a store', () => {
  let clock: ManualClock;
  let store: LeaseStore;
  beforeEach(() => {
    clock = new ManualClock();
    store = new LeaseStore(clock);
  });

  const process = (name: string) => new ProcessRegistry(store, store, clock, new SeededRandom(), new ProcessId(name));
  const taken = () => process('an operator').findActive();

  it('is found until it ends', async () => {
    expect(await taken()).toBeNull();
    const one = process('one');
    await one.register();
    await clock.advance(3_600_000);
    expect(await taken()).toBe('process:1');
    await one.unregister();
    expect(await taken()).toBeNull();
  });

  it('is found after earlier processes have ended', async () => {
    const all = ['one', 'two', 'three'].map(process);
    for (const one of all) await one.register();
    for (const one of all.slice(0, 2)) await one.unregister();
    expect(await taken()).toBe('process:3');
  });

  it('is found again after an outage of the store', async () => {
    const one = process('one');
    await one.register();
    store.isAway = true;
    await clock.advance(60_000);
    store.isAway = false;
    expect(await taken()).toBeNull();
    await clock.advance(60_000);
    expect(await taken()).toBe('process:1');
    await one.unregister();
  });
});
