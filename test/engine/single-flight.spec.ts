import { SingleFlight } from '../../src/engine/single-flight.js';

function countCalls() {
  const flight = new SingleFlight<number>();
  let runs = 0;
  return { ask: (key = 'a') => flight.run(key, async () => ++runs) };
}

describe('A single-flight group', () => {
  it('runs work once for all callers in the same tick', async () => {
    const { ask } = countCalls();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  });

  it('runs work once for callers that were already queued', async () => {
    const { ask } = countCalls();
    const resolved = Promise.resolve();
    expect(await Promise.all([resolved.then(() => ask()), resolved.then(() => ask())])).toEqual([1, 1]);
  });

  it('runs work for another key separately', async () => {
    const { ask } = countCalls();
    expect(await Promise.all([ask('a'), ask('b')])).toEqual([1, 2]);
  });

  it('runs work again for a caller that has seen the result', async () => {
    const { ask } = countCalls();
    expect([await ask(), await ask()]).toEqual([1, 2]);
  });

  it('runs work again for a caller that has seen a later event', async () => {
    const { ask } = countCalls();
    const first = ask();
    await Promise.resolve('news');
    expect(await Promise.all([first, ask()])).toEqual([1, 2]);
  });

  it('rejects for all callers after a failure, and then runs work again', async () => {
    const flight = new SingleFlight<number>();
    let fails = true;
    const ask = () => flight.run('a', async () => (fails ? Promise.reject(new Error('away')) : 1));
    const both = await Promise.allSettled([ask(), ask()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await ask()).toBe(1);
  });
});
