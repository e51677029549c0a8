import { Conflict } from '../../../src/kernel/event-store.js';
import { coinsAdded } from '../../support/jar.js';
import { after, type Fault } from '../../support/memory/faulty-event-store.js';
import { add, coinsIn, house } from '../../support/streams.js';

/** Behaves like a leader without a majority: it counts prepared events and does not show them. */
const countsWhatNobodyCanRead: Fault = async () => {
  throw new Conflict('jar-a', 'none', 0);
};

describe('A conflict with an event that is not visible yet', () => {
  it('leaves the outcome unknown and refuses no command, however often the stream is read', async () => {
    const { store, run } = house();
    store.faults.push(...Array.from({ length: 100 }, () => countsWhatNobodyCanRead));

    await expect(run(add(3), 'mine')).rejects.toMatchObject({ name: 'StoreUnavailable', maybeWritten: true });
    expect(store.log).toEqual([]);
  });

  it('is decided again once the event is visible', async () => {
    const { store, run } = house();
    const committed = () => store.append('jar-a', 'none', [coinsAdded('a', 'other', 10)]);
    store.faults.push(after(committed));

    expect((await run(add(3), 'mine')).state.coins).toBe(13);
    expect(coinsIn(store)).toEqual([10, 3]);
  });
});
