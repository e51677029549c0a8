import fc from 'fast-check';
import { Build, type BuildProgress } from '../../../src/engine/builds/build.js';
import { SharedLog } from '../../../src/engine/builds/shared-log.js';
import { projectionSkips, type Skip } from '../../../src/engine/projections/skips.js';
import { render } from '../../../src/kernel/projection.js';
import { scaleRuns, seeds } from '../../contracts/seed.js';
import { SeededRandom } from '../../support/clock.js';
import { coinsAdded, createContext, jarBroken, type JarDocument, jars, poisonedJars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#2';
const NEVER = new AbortController().signal;

function buildIn(house: TestCluster, projection = jars, onProgress?: (progress: BuildProgress) => void) {
  return new Build(
    projection,
    BUILD,
    { ...house, random: new SeededRandom(), log: new SharedLog(house.store, house.clock) },
    onProgress,
  );
}

async function houseOf(events: number): Promise<TestCluster> {
  const house = new TestCluster();
  for (let i = 0; i < events; i++) await house.append(`jar-${i % 7}`, coinsAdded(String(i % 7), String(i), i));
  return house;
}

describe('A build', () => {
  it.each(seeds)('equals the log for any events and any number of shards (seed %i)', async (seed) => {
    const logs = fc.array(fc.tuple(fc.nat(9), fc.constantFrom('add', 'add', 'add', 'break')), {
      minLength: 1,
      maxLength: 80,
    });
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 6 }), async (events, shards) => {
        const house = new TestCluster();
        for (const [i, [id, what]] of events.entries()) {
          await house.append(
            `jar-${id}`,
            what === 'add' ? coinsAdded(String(id), String(i), i) : jarBroken(String(id), String(i)),
          );
        }
        await buildIn(house, { ...jars, shards }).run(NEVER);
        const ids = [...new Set(events.map(([id]) => String(id)))].sort();
        expect(await house.readDocuments(BUILD)).toEqual(ids.flatMap((id) => rendered(house, id)));
        expect(await house.readModels.readCheckpoint(BUILD)).toBe(await house.store.readHead());
      }),
      { seed, numRuns: scaleRuns(30) },
    );
  });

  it('reports its progress', async () => {
    const house = await houseOf(1_200);
    const told: BuildProgress[] = [];
    await buildIn(house, jars, (progress) => told.push(progress)).run(NEVER);
    expect(told.map(({ events }) => events)).toEqual([500, 1_000, 1_200]);
    expect(told.at(-1)!.position).toBe(await house.store.readHead());
  });

  it('resumes at its checkpoint after a stop at any point', async () => {
    const house = await houseOf(3_000);
    const stop = new AbortController();
    const stopped = buildIn(house, jars, ({ events }) => events >= 2_000 && stop.abort()).run(stop.signal);
    await expect(stopped).rejects.toThrow('stopped before completion');
    const reached = await house.readModels.readCheckpoint(BUILD);
    expect(reached > '' && reached < (await house.store.readHead())).toBe(true);

    const told: BuildProgress[] = [];
    await buildIn(house, jars, (progress) => told.push(progress)).run(NEVER);
    expect(told.at(-1)!.events).toBeLessThan(3_000);
    for (let id = 0; id < 7; id++)
      expect(await house.readDocuments(BUILD)).toContainEqual(render(jars, String(id), house.store.log));
  });

  it('is the same when two runs overlap', async () => {
    const house = await houseOf(300);
    await Promise.all([buildIn(house).run(NEVER), buildIn(house).run(NEVER)]);
    for (let id = 0; id < 7; id++)
      expect(await house.readDocuments(BUILD)).toContainEqual(render(jars, String(id), house.store.log));
  });

  it('stops at an event that it cannot fold, and names the event', async () => {
    const house = new TestCluster();
    await house.append('jar-a', coinsAdded('a', '1', 1));
    await house.append('jar-b', coinsAdded('b', '1', 5), coinsAdded('b', '2', 13));
    await expect(buildIn(house, poisonedJars).run(NEVER)).rejects.toThrow(
      'jar-b at revision 1 (CoinsAdded): Error: thirteen',
    );
    expect((await house.readModels.readCheckpoint(BUILD)) < (await house.store.readHead())).toBe(true);
  });

  it('ignores a skipped event', async () => {
    const house = new TestCluster();
    await house.append('jar-a', coinsAdded('a', '1', 1), coinsAdded('a', '2', 13), coinsAdded('a', '3', 2));
    const skip: Skip = { document: 'a', eventId: house.store.log[1]!.id };
    const { streams } = house.createProcess({});
    await streams.execute(
      projectionSkips,
      'jars',
      { type: 'SkipEvent', projection: 'jars', reason: 'bad luck', ...skip },
      createContext('skip'),
    );
    await buildIn(house, poisonedJars).run(NEVER);
    expect(await house.readDocuments(BUILD)).toMatchObject([{ id: 'a', coins: 3 }]);
  });

  it('waits for an unavailable store', async () => {
    const house = await houseOf(20);
    house.readModels.unavailableCollections.add(BUILD);
    const running = buildIn(house).run(NEVER);
    await house.clock.advance(5_000);
    house.readModels.unavailableCollections.clear();
    await house.clock.advance(10_000);
    await running;
    expect(await house.readDocuments(BUILD)).toHaveLength(7);
  });
});

function rendered(house: TestCluster, id: string): JarDocument[] {
  const history = house.store.log.filter(({ stream }) => stream === `jar-${id}`);
  return history.at(-1)!.type === 'JarBroken' ? [] : [render(jars, id, history)];
}
