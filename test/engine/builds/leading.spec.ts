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
async function started(house: TestCluster) {
  const first = house.createProcess(TWO, 'first');
  const second = house.createProcess(TWO, 'second');
  await first.engine.start();
  await second.engine.start();
  await house.clock.advance(100);
  return { first, second };
}

describe('A build', () => {
  it('is folded and saved by one of the processes that have its projection', async () => {
    const house = new TestCluster();
    const { first, second } = await started(house);
    expect([leads(first), leads(second)]).toEqual([[JARS, LIDS], []]);
    for (let i = 0; i < 20; i++) {
      await house.append('jar-a', coinsAdded('a', String(i)));
      await house.clock.advance(500);
    }
    expect(house.readModels.saves.map(({ collection }) => collection)).toEqual(Array.from({ length: 20 }, () => JARS));
    expect(await house.readDocuments(JARS)).toMatchObject([{ coins: 20 }]);
    await first.engine.stop();
    await second.engine.stop();
  });

  it('is led by another process within a second after its leader stopped', async () => {
    const house = new TestCluster();
    const { first, second } = await started(house);
    await first.engine.stop();
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(1_000);
    expect(leads(second)).toEqual([JARS, LIDS]);
    expect(await house.readDocuments(JARS)).toMatchObject([{ coins: 1 }]);
    await second.engine.stop();
  });

  it('is led by another process within six seconds after its leader was killed', async () => {
    const house = new TestCluster();
    const first = house.createCrashableProcess(() => TWO, 'first');
    const second = house.createProcess(TWO, 'second');
    void first.engine.start();
    await house.clock.advance(1_000);
    await second.engine.start();
    await house.clock.advance(10_000);
    expect(leads(second)).toEqual([]);
    first.kill();
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(6_000);
    expect(leads(second)).toEqual([JARS, LIDS]);
    expect(await house.readDocuments(JARS)).toMatchObject([{ coins: 1 }]);
    await second.engine.stop();
  });

  it("is shown with the process's own writes to a process that does not lead it", async () => {
    const house = new TestCluster();
    const { first, second } = await started(house);
    const context = createContext('add');
    await second.streams.execute(jar, 'a', { type: 'AddCoins', jarId: 'a', coins: 3 }, context);
    const reading = second.views.get(jars, 'a', context.consistency);
    await house.clock.advance(60);
    expect(await reading).toMatchObject({ coins: 3 });
    expect(context.consistency.isStale).toBe(false);
    const settled = second.views.waitUntil(lids, context.consistency.position);
    await house.clock.advance(60);
    expect(await settled).toBe(true);
    await first.engine.stop();
    await second.engine.stop();
  });

  it('is led by each process for the versions that only its code has', async () => {
    const house = new TestCluster();
    const { first } = await started(house);
    const newer = house.createProcess({ projections: [jars, { ...lids, version: 2 }] }, 'newer');
    const start = newer.engine.start();
    await house.clock.advance(2_000);
    await start;
    expect([leads(first), leads(newer)]).toEqual([[JARS, LIDS], ['lids@2#1']]);
    await newer.engine.stop();
    await first.engine.stop();
  });
});

describe('A process that leads nothing', () => {
  it('does not read the log before it leads', async () => {
    const house = new TestCluster();
    const { first, second } = await started(house);
    await house.append('jar-a', coinsAdded('a', '0'));
    await house.clock.advance(1_000);
    const position = second.engine.status().position;
    for (let i = 1; i < 10; i++) await house.append('jar-a', coinsAdded('a', String(i)));
    await house.clock.advance(1_000);
    expect(first.engine.status().position).toBe(await house.store.readHead());
    expect(second.engine.status().position).toBe(position);
    await first.engine.stop();
    await house.clock.advance(1_000);
    expect(second.engine.status().position).toBe(await house.store.readHead());
    await second.engine.stop();
  });
});
