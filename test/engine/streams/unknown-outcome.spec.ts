import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { coinsAdded } from '../../support/jar.js';
import { after, answerLost, neverArrived } from '../../support/memory/faulty-event-store.js';
import { add, coinsIn, house } from '../../support/streams.js';

describe('An append with an unknown outcome', () => {
  it('is repeated unchanged, and written once', async () => {
    const { store, run } = house();
    store.faults.push(answerLost, neverArrived);
    const { repeated, state } = await run(add(3), 'mine');
    expect(repeated).toBe(false);
    expect(state.coins).toBe(3);
    expect(store.log).toHaveLength(1);
    expect(store.asked).toEqual([store.asked[0], store.asked[0], store.asked[0]]);
  });

  it('stays one event when others have written after it', async () => {
    const { store, run } = house();
    const others = () => store.append('jar-a', 0, [coinsAdded('a', 'other', 10)]);
    store.faults.push(answerLost, after(others));
    expect((await run(add(3), 'mine')).state.coins).toBe(3);
    expect(coinsIn(store)).toEqual([3, 10]);
  });

  it('stays unknown when one try may have been written and the last one never arrived', async () => {
    const { store, run } = house();
    store.faults.push(answerLost, neverArrived, neverArrived, neverArrived);
    await expect(run(add(3), 'mine')).rejects.toMatchObject({ name: 'StoreUnavailable', maybeWritten: true });
    expect(await run(add(3), 'mine')).toMatchObject({ repeated: true, state: { coins: 3 } });
    expect(store.log).toHaveLength(1);
  });

  it('is known to be missing when no try arrived', async () => {
    const { store, run } = house();
    store.faults.push(neverArrived, neverArrived, neverArrived, neverArrived);
    await expect(run(add(3), 'mine')).rejects.toEqual(new StoreUnavailable('the request was lost', false));
    expect(store.log).toEqual([]);
  });
});
