import { Conflict } from '../../../src/kernel/event-store.js';
import { coinsAdded } from '../../support/jar.js';
import { type AppendFault, runBefore } from '../../support/memory/faulty-event-store.js';
import { addCoins, createStreamsFixture, readCoins } from '../../support/streams-fixture.js';

/** Behaves like a leader without a majority: it counts prepared events and does not show them. */
const countUnreadable: AppendFault = async () => {
  throw new Conflict('jar-a', 'none', 0);
};

describe('A conflict with an event that is not visible yet', () => {
  it('leaves the outcome unknown and refuses no command, however often the stream is read', async () => {
    const { store, run } = createStreamsFixture();
    store.faults.push(...Array.from({ length: 100 }, () => countUnreadable));

    await expect(run(addCoins(3), 'mine')).rejects.toMatchObject({ name: 'StoreUnavailable', maybeWritten: true });
    expect(store.log).toEqual([]);
  });

  it('is decided again once the event is visible', async () => {
    const { store, run } = createStreamsFixture();
    const committed = () => store.append('jar-a', 'none', [coinsAdded('a', 'other', 10)]);
    store.faults.push(runBefore(committed));

    expect((await run(addCoins(3), 'mine')).state.coins).toBe(13);
    expect(readCoins(store)).toEqual([10, 3]);
  });
});
