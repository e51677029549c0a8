import { retireBuilds } from '../../../src/engine/builds/retention.js';
import { DAY_MS } from '../../../src/kernel/clock.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const OLD = new Set(['jars@1']);
const NEW = new Set(['jars@2']);

/** An old version with a build, and the hourly check of a process with its version. */
async function upgraded() {
  const cluster = new TestCluster();
  const { engine, builds } = cluster.createProcess({ projections: [jars] }, 'old');
  await engine.start();
  await cluster.append('jar-a', coinsAdded('a', '1'));
  await cluster.clock.advance(1_000);
  await engine.stop();
  const retire = async (used: ReadonlySet<string>) => {
    await builds.refresh();
    await retireBuilds(used, { builds, clock: cluster.clock });
    return builds.getEntry('jars@1').builds.map(({ status }) => status);
  };
  return { cluster, retire };
}

describe('The builds of a version that no running code has', () => {
  it('are kept for 14 days after the last use, and then dropped', async () => {
    const { cluster, retire } = await upgraded();
    await cluster.clock.advance(10 * DAY_MS);
    expect(await retire(OLD)).toEqual(['active']);
    await cluster.clock.advance(13 * DAY_MS);
    expect(await retire(NEW)).toEqual(['active']);
    await cluster.clock.advance(2 * DAY_MS);
    expect(await retire(NEW)).toEqual(['dropping']);
  });

  it('are kept while any process uses that version', async () => {
    const { cluster, retire } = await upgraded();
    for (let days = 0; days < 30; days++) {
      await cluster.clock.advance(DAY_MS);
      expect([await retire(OLD), await retire(NEW)]).toEqual([['active'], ['active']]);
    }
  });

  it('are kept for 14 days after the first check when their use was never recorded', async () => {
    const { cluster, retire } = await upgraded();
    const [{ name, revision, value }] = (await cluster.readModels.listEntries()) as [
      { name: string; revision: number; value: object },
    ];
    await cluster.readModels.compareAndSetEntry(name, revision, { ...value, usedAt: undefined });
    await cluster.clock.advance(100 * DAY_MS);
    expect(await retire(NEW)).toEqual(['active']);
    await cluster.clock.advance(15 * DAY_MS);
    expect(await retire(NEW)).toEqual(['dropping']);
  });
});
