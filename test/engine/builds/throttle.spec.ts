import { Throttle } from '../../../src/engine/builds/throttle.js';
import { coinsAdded } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

function paced() {
  const cluster = new TestCluster();
  const pace = new Throttle(cluster.store, cluster.clock);
  let written = 0;
  const looked = async (ms: number, writes = 0) => {
    for (let i = 0; i < writes; i++) await cluster.append('jar-a', coinsAdded('a', String(written++)));
    await cluster.clock.advance(ms);
    await pace.pollHead();
    return pace.rows;
  };
  return { ...cluster, clock: cluster.clock, pace, looked };
}

describe('The throttle of a build', () => {
  it('limits the speed until it knows that there are no other writes', async () => {
    const { looked } = paced();
    const careful = await looked(0);
    expect(await looked(10)).toBe(careful);
    expect(await looked(10)).toBeGreaterThan(careful);
  });

  it('limits the speed while the log grows, and for a while after that', async () => {
    const { looked } = paced();
    const careful = await looked(0);
    const free = await looked(100);
    expect(await looked(100, 1)).toBe(careful);
    expect(await looked(1_000)).toBe(careful);
    expect(await looked(1_000)).toBe(free);
  });

  it('pauses for as long as each save took, one save after another', async () => {
    const { clock, pace } = paced();
    const began: number[] = [];
    const save = () => {
      began.push(clock.monotonic());
      return clock.sleep(7);
    };
    const saves = Promise.all([1, 2, 3].map(() => pace.save(save)));
    await clock.advance(100);
    await saves;
    expect(began).toEqual([0, 14, 28]);
  });

  it('lets saves run concurrently at full speed', async () => {
    const { clock, pace, looked } = paced();
    await looked(0);
    await looked(100);
    const began: number[] = [];
    const saves = Promise.all([1, 2].map(() => pace.save(() => (began.push(clock.monotonic()), clock.sleep(7)))));
    await clock.advance(7);
    await saves;
    expect(began).toEqual([100, 100]);
  });
});
