import { paused } from '../../../src/engine/builds/catalogue.js';
import { Progress } from '../../../src/kernel/context.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { House } from '../../support/memory/house.js';

const JARS = 'jars@1#1';

async function started() {
  const house = new House();
  const { engine, views, builds } = house.process({ projections: [jars] });
  await engine.start();
  await house.clock.advance(1_000);
  /** Whether a read of a new write returns at once, without the write. No time passes. */
  const readsStale = async (position: string) => {
    const progress = new Progress(position);
    await views.page(jars, { where: {}, page: 1, perPage: 1 }, progress);
    return progress.stale;
  };
  return { house, engine, builds, readsStale };
}

describe('A read without a wait', () => {
  it('is served for a projection that has been failing for a while', async () => {
    const { house, engine, readsStale } = await started();
    house.readModels.away.add(JARS);
    const position = await house.write('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(2_000);
    expect(await readsStale(position)).toBe(true);
    house.readModels.away.clear();
    await house.clock.advance(10_000);
    expect(await readsStale(position)).toBe(false);
    await engine.stop();
  });

  it('is served for a paused projection', async () => {
    const { house, engine, builds, readsStale } = await started();
    await builds.change('jars@1', paused);
    await house.clock.advance(1_000);
    expect(await readsStale(await house.write('jar-a', coinsAdded('a', '1')))).toBe(true);
    await engine.stop();
  });

  it('is refused for a projection that has not caught up since its process started', async () => {
    const { house, engine } = await started();
    await engine.stop();
    for (let i = 0; i < 600; i++) await house.write('jar-a', coinsAdded('a', `${i}`));
    await house.clock.advance(60_000);
    house.readModels.away.add(JARS);
    const { engine: next, views } = house.process({ projections: [jars] }, 'the next process');
    await next.start();
    await house.clock.advance(0);
    const progress = new Progress(await house.store.head());
    await expect(views.page(jars, { where: {}, page: 1, perPage: 1 }, progress)).rejects.toThrow(StoreUnavailable);

    house.readModels.away.clear();
    await house.clock.advance(10_000);
    expect(await views.page(jars, { where: {}, page: 1, perPage: 1 }, progress)).toMatchObject({ data: [{ coins: 600 }] });
    await next.stop();
  });
});
