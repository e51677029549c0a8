import { Pace } from '../../../src/engine/builds/pace.js';
import { coinsAdded } from '../../support/jar.js';
import { House } from '../../support/memory/house.js';

function paced() {
  const house = new House();
  const pace = new Pace(house.store, house.clock);
  let written = 0;
  const looked = async (ms: number, writes = 0) => {
    for (let i = 0; i < writes; i++) await house.write('jar-a', coinsAdded('a', String(written++)));
    await house.clock.advance(ms);
    await pace.look();
    return pace.rows;
  };
  return { ...house, clock: house.clock, pace, looked };
}

describe('The pace of a build', () => {
  it('is careful until it is known that nobody writes, and then free', async () => {
    const { looked } = paced();
    const careful = await looked(0);
    expect(await looked(50)).toBe(careful);
    expect(await looked(50)).toBeGreaterThan(careful);
  });

  it('is careful again while the log grows, and for a while behind that', async () => {
    const { looked } = paced();
    const careful = await looked(0);
    const free = await looked(100);
    expect(await looked(100, 1)).toBe(careful);
    expect(await looked(1_000)).toBe(careful);
    expect(await looked(1_000)).toBe(free);
  });

  it('leaves others as much time as each save took, one save after another', async () => {
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

  it('lets saves go side by side where it is free', async () => {
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
