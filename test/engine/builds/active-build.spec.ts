import { ActiveBuild } from '../../../src/engine/builds/active-build.js';
import { Waiters } from '../../../src/engine/consumers/waiters.js';
import { ManualClock } from '../../support/clock.js';
import { coinsAdded } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const [OLD, NEW] = ['jars@1#1', 'jars@1#2'];

describe('A switch to another build', () => {
  it('is postponed when an event is appended while it waits for a reader', async () => {
    const clock = new ManualClock();
    const store = new MemoryEventStore(clock);
    const waiters = new Waiters(new MemoryReadModels(clock), clock);
    const served = new ActiveBuild(OLD, { store, waiters, clock });
    const reach = async () => waiters.advance(NEW, await store.readHead());
    await store.append('jar-a', 'none', [coinsAdded('a', 'first')]);
    await reach();

    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    const reading = served.read('jars', () => work);
    const crossing = served.switchTo(NEW);
    await clock.advance(10);
    await store.append('jar-a', 0, [coinsAdded('a', 'second')]);
    finish();
    await clock.advance(1_000);
    await Promise.all([reading, crossing]);
    expect(served.build).toBe(OLD);

    await reach();
    await served.switchTo(NEW);
    expect(served.build).toBe(NEW);
  });
});
