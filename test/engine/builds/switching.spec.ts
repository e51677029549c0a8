import fc from 'fast-check';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { scaleRuns, seeds } from '../../contracts/seed.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const coinsRead = async (cluster: TestCluster, { views }: ReturnType<TestCluster['createProcess']>) => {
  const reading = views.get(jars, 'a', new ConsistencyContext());
  await cluster.clock.advance(0);
  return (await reading)?.coins ?? 0;
};

async function rebuilt(): Promise<{ cluster: TestCluster; service: ReturnType<TestCluster['createProcess']> }> {
  const cluster = new TestCluster();
  const service = cluster.createProcess({ projections: [jars] });
  await service.engine.start();
  for (let i = 0; i < 5; i++) await cluster.append('jar-a', coinsAdded('a', String(i)));
  await cluster.clock.advance(100);
  await service.operator.rebuild('jars', { switch: false });
  await cluster.clock.advance(1_000);
  return { cluster, service };
}

describe('A switch', () => {
  it('takes effect once the new build has reached the head of the log', async () => {
    const { cluster, service } = await rebuilt();
    cluster.readModels.unavailableCollections.add('jars@1#2');
    await cluster.append('jar-a', coinsAdded('a', 'more'));
    await cluster.clock.advance(100);
    expect(await coinsRead(cluster, service)).toBe(6);

    await service.operator.switch('jars');
    await cluster.clock.advance(3_000);
    expect(await coinsRead(cluster, service)).toBe(6);
    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(10_000);
    cluster.readModels.unavailableCollections.add('jars@1#1');
    await cluster.append('jar-a', coinsAdded('a', 'last'));
    await cluster.clock.advance(100);
    expect(await coinsRead(cluster, service)).toBe(7);
    await service.engine.stop();
  });

  it.each(seeds)(
    'lets no read of a process go back in time, whichever build is slower (seed %i)',
    async (seed) => {
      const step = fc.record({
        slow: fc.constantFrom('jars@1#1', 'jars@1#2', null),
        writes: fc.nat(2),
        ms: fc.integer({ min: 1, max: 400 }),
        back: fc.nat(6).map((n) => n === 0),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          const { cluster, service } = await rebuilt();
          await service.operator.switch('jars');
          const seen: number[] = [];
          let written = 0;
          for (const { slow, writes, ms, back } of steps) {
            cluster.readModels.unavailableCollections.clear();
            if (slow !== null) cluster.readModels.unavailableCollections.add(slow);
            for (let i = 0; i < writes; i++) await cluster.append('jar-a', coinsAdded('a', `step ${written++}`));
            if (back) await service.operator.rollback('jars');
            const reading = service.views.get(jars, 'a', new ConsistencyContext());
            await cluster.clock.advance(ms);
            seen.push((await reading)!.coins);
          }
          expect(seen).toEqual(seen.toSorted((a, b) => a - b));
          await service.engine.stop();
        }),
        { seed, numRuns: scaleRuns(20) },
      );
    },
    60_000,
  );
});
