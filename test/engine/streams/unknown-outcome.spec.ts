import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { coinsAdded } from '../../support/jar.js';
import { loseRequest, loseResponse, runBefore } from '../../support/memory/faulty-event-store.js';
import { addCoins, createStreamsFixture, readCoins } from '../../support/streams-fixture.js';

describe('An append with an unknown outcome', () => {
  it('is repeated unchanged, and written once', async () => {
    const { store, run } = createStreamsFixture();
    store.faults.push(loseResponse, loseRequest);
    const { repeated, state } = await run(addCoins(3), 'mine');
    expect(repeated).toBe(false);
    expect(state.coins).toBe(3);
    expect(store.log).toHaveLength(1);
    expect(store.requestedAppends).toEqual([
      store.requestedAppends[0],
      store.requestedAppends[0],
      store.requestedAppends[0],
    ]);
  });

  it('stays one event when others have written after it', async () => {
    const { store, run } = createStreamsFixture();
    const others = () => store.append('jar-a', 0, [coinsAdded('a', 'other', 10)]);
    store.faults.push(loseResponse, runBefore(others));
    expect((await run(addCoins(3), 'mine')).state.coins).toBe(3);
    expect(readCoins(store)).toEqual([3, 10]);
  });

  it('stays unknown when one try may have been written and the last one never arrived', async () => {
    const { store, run } = createStreamsFixture();
    store.faults.push(loseResponse, loseRequest, loseRequest, loseRequest);
    await expect(run(addCoins(3), 'mine')).rejects.toMatchObject({ name: 'StoreUnavailable', maybeWritten: true });
    expect(await run(addCoins(3), 'mine')).toMatchObject({ repeated: true, state: { coins: 3 } });
    expect(store.log).toHaveLength(1);
  });

  it('is known to be missing when no try arrived', async () => {
    const { store, run } = createStreamsFixture();
    store.faults.push(loseRequest, loseRequest, loseRequest, loseRequest);
    await expect(run(addCoins(3), 'mine')).rejects.toEqual(new StoreUnavailable('the request was lost', false));
    expect(store.log).toEqual([]);
  });
});
