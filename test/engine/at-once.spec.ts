import { AtOnce } from '../../src/engine/at-once.js';

function asking() {
  const atOnce = new AtOnce<number>();
  let runs = 0;
  return { ask: (key = 'a') => atOnce.run(key, async () => ++runs) };
}

describe('Work that is asked for', () => {
  it('again in the same moment is done once for all', async () => {
    const { ask } = asking();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  });

  it('by all who were waiting for their turn is done once for them', async () => {
    const { ask } = asking();
    const told = Promise.resolve();
    expect(await Promise.all([told.then(() => ask()), told.then(() => ask())])).toEqual([1, 1]);
  });

  it('under another key is done for itself', async () => {
    const { ask } = asking();
    expect(await Promise.all([ask('a'), ask('b')])).toEqual([1, 2]);
  });

  it('by somebody who has heard of its outcome is done anew', async () => {
    const { ask } = asking();
    expect([await ask(), await ask()]).toEqual([1, 2]);
  });

  it('is asked for anew by somebody who has heard of anything since', async () => {
    const { ask } = asking();
    const first = ask();
    await Promise.resolve('news');
    expect(await Promise.all([first, ask()])).toEqual([1, 2]);
  });

  it('tells all of its failure, and is done anew', async () => {
    const atOnce = new AtOnce<number>();
    let fails = true;
    const ask = () => atOnce.run('a', async () => (fails ? Promise.reject(new Error('away')) : 1));
    const both = await Promise.allSettled([ask(), ask()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await ask()).toBe(1);
  });
});
