import { coinsAdded, createContext, jar, jars, lids } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const JARS = 'jars@1#1';
const LIDS = 'lids@1#1';
const TWO = { projections: [jars, lids] };

function leads({ engine }: ReturnType<TestCluster['createProcess']>): string[] {
  return engine
    .status()
    .runners.map(({ name }) => name)
    .sort();
}

/** Two processes; the first one leads, because it started first. */
async function started(cluster: TestCluster) {
  const first = cluster.createProcess(TWO, 'first');
  const second = cluster.createProcess(TWO, 'second');
  await first.engine.start();
  await second.engine.start();
  await cluster.clock.advance(100);
  return { first, second };
}

describe('A build', () => {
  it('is folded and saved by one of the processes that have its projection', async () => {
    const cluster = new TestCluster();
    const { first, second } = await started(cluster);
    expect([leads(first), leads(second)]).toEqual([[JARS, LIDS], []]);
    for (let i = 0; i < 20; i++) {
      await cluster.append('jar-a', coinsAdded('a', String(i)));
      await cluster.clock.advance(500);
    }
    expect(cluster.readModels.saves.map(({ collection }) => collection)).toEqual(
      Array.from({ length: 20 }, () => JARS),
    );
    expect(await cluster.readDocuments(JARS)).toMatchObject([{ coins: 20 }]);
    await first.engine.stop();
    await second.engine.stop();
  });

  it('is led by another process within a second after its leader stopped', async () => {
    const cluster = new TestCluster();
    const { first, second } = await started(cluster);
    await first.engine.stop();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(1_000);
    expect(leads(second)).toEqual([JARS, LIDS]);
    expect(await cluster.readDocuments(JARS)).toMatchObject([{ coins: 1 }]);
    await second.engine.stop();
  });

  it('is led by another process within six seconds after its leader was killed', async () => {
    const cluster = new TestCluster();
    const first = cluster.createCrashableProcess(() => TWO, 'first');
    const second = cluster.createProcess(TWO, 'second');
    void first.engine.start();
    await cluster.clock.advance(1_000);
    await second.engine.start();
    await cluster.clock.advance(10_000);
    expect(leads(second)).toEqual([]);
    first.kill();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(6_000);
    expect(leads(second)).toEqual([JARS, LIDS]);
    expect(await cluster.readDocuments(JARS)).toMatchObject([{ coins: 1 }]);
    await second.engine.stop();
  });

  it("is shown with the process's own writes to a process that does not lead it", async () => {
    const cluster = new TestCluster();
    const { first, second } = await started(cluster);
    const context = createContext('add');
    await second.streams.execute(jar, 'a', { type: 'AddCoins', jarId: 'a', coins: 3 }, context);
    const reading = second.views.get(jars, 'a', context.consistency);
    await cluster.clock.advance(60);
    expect(await reading).toMatchObject({ coins: 3 });
    expect(context.consistency.isStale).toBe(false);
    const settled = second.views.waitUntil(lids, context.consistency.position);
    await cluster.clock.advance(60);
    expect(await settled).toBe(true);
    await first.engine.stop();
    await second.engine.stop();
  });

  it('is led by each process for the versions that only its code has', async () => {
    const cluster = new TestCluster();
    const { first } = await started(cluster);
    const newer = cluster.createProcess({ projections: [jars, { ...lids, version: 2 }] }, 'newer');
    const start = newer.engine.start();
    await cluster.clock.advance(2_000);
    await start;
    expect([leads(first), leads(newer)]).toEqual([[JARS, LIDS], ['lids@2#1']]);
    await newer.engine.stop();
    await first.engine.stop();
  });
});

describe('A process that leads nothing', () => {
  it('does not read the log before it leads', async () => {
    const cluster = new TestCluster();
    const { first, second } = await started(cluster);
    await cluster.append('jar-a', coinsAdded('a', '0'));
    await cluster.clock.advance(1_000);
    const position = second.engine.status().position;
    for (let i = 1; i < 10; i++) await cluster.append('jar-a', coinsAdded('a', String(i)));
    await cluster.clock.advance(1_000);
    expect(first.engine.status().position).toBe(await cluster.store.readHead());
    expect(second.engine.status().position).toBe(position);
    await first.engine.stop();
    await cluster.clock.advance(1_000);
    expect(second.engine.status().position).toBe(await cluster.store.readHead());
    await second.engine.stop();
  });
});
