import { pause } from '../../../src/engine/builds/catalogue.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const JARS = 'jars@1#1';

async function started() {
  const cluster = new TestCluster();
  const { engine, views, builds } = cluster.createProcess({ projections: [jars] });
  await engine.start();
  await cluster.clock.advance(1_000);
  /** Whether a read of a new write returns at once, without the write. No time passes. */
  const readsStale = async (position: string) => {
    const progress = new ConsistencyContext(position);
    await views.getPage(jars, { where: {}, page: 1, perPage: 1 }, progress);
    return progress.isStale;
  };
  return { cluster, engine, builds, readsStale };
}

describe('A read without a wait', () => {
  it('is served for a projection that has been failing for a while', async () => {
    const { cluster, engine, readsStale } = await started();
    cluster.readModels.unavailableCollections.add(JARS);
    const position = await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(2_000);
    expect(await readsStale(position)).toBe(true);
    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(10_000);
    expect(await readsStale(position)).toBe(false);
    await engine.stop();
  });

  it('is served for a paused projection', async () => {
    const { cluster, engine, builds, readsStale } = await started();
    await builds.change('jars@1', pause);
    await cluster.clock.advance(1_000);
    expect(await readsStale(await cluster.append('jar-a', coinsAdded('a', '1')))).toBe(true);
    await engine.stop();
  });

  it('is refused for a projection that has not caught up since its process started', async () => {
    const { cluster, engine } = await started();
    await engine.stop();
    for (let i = 0; i < 600; i++) await cluster.append('jar-a', coinsAdded('a', `${i}`));
    await cluster.clock.advance(60_000);
    cluster.readModels.unavailableCollections.add(JARS);
    const { engine: next, views } = cluster.createProcess({ projections: [jars] }, 'the next process');
    await next.start();
    await cluster.clock.advance(0);
    const progress = new ConsistencyContext(await cluster.store.readHead());
    await expect(views.getPage(jars, { where: {}, page: 1, perPage: 1 }, progress)).rejects.toThrow(StoreUnavailable);

    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(10_000);
    expect(await views.getPage(jars, { where: {}, page: 1, perPage: 1 }, progress)).toMatchObject({
      data: [{ coins: 600 }],
    });
    await next.stop();
  });
});
