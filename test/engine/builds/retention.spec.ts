import { retireBuilds } from '../../../src/engine/builds/retention.js';
import { DAY_MS } from '../../../src/kernel/clock.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const OLD = new Set(['jars@1']);
const NEW = new Set(['jars@2']);

/** An old version with a build, and the hourly check of a process with its version. */
async function upgraded() {
  const house = new TestCluster();
  const { engine, builds } = house.createProcess({ projections: [jars] }, 'old');
  await engine.start();
  await house.append('jar-a', coinsAdded('a', '1'));
  await house.clock.advance(1_000);
  await engine.stop();
  const retire = async (used: ReadonlySet<string>) => {
    await builds.refresh();
    await retireBuilds(used, { builds, clock: house.clock });
    return builds.getEntry('jars@1').builds.map(({ status }) => status);
  };
  return { house, retire };
}

describe('The builds of a version that no running code has', () => {
  it('are kept for 14 days after the last use, and then dropped', async () => {
    const { house, retire } = await upgraded();
    await house.clock.advance(10 * DAY_MS);
    expect(await retire(OLD)).toEqual(['active']);
    await house.clock.advance(13 * DAY_MS);
    expect(await retire(NEW)).toEqual(['active']);
    await house.clock.advance(2 * DAY_MS);
    expect(await retire(NEW)).toEqual(['dropping']);
  });

  it('are kept while any process uses that version', async () => {
    const { house, retire } = await upgraded();
    for (let days = 0; days < 30; days++) {
      await house.clock.advance(DAY_MS);
      expect([await retire(OLD), await retire(NEW)]).toEqual([['active'], ['active']]);
    }
  });

  it('are kept for 14 days after the first check when their use was never recorded', async () => {
    const { house, retire } = await upgraded();
    const [{ name, revision, value }] = (await house.readModels.listEntries()) as [
      { name: string; revision: number; value: object },
    ];
    await house.readModels.compareAndSetEntry(name, revision, { ...value, usedAt: undefined });
    await house.clock.advance(100 * DAY_MS);
    expect(await retire(NEW)).toEqual(['active']);
    await house.clock.advance(15 * DAY_MS);
    expect(await retire(NEW)).toEqual(['dropping']);
  });
});
