import fc from 'fast-check';
import { BuildFiller, type BuildProgress } from '../../../src/engine/builds/build-filler.js';
import { SharedLog } from '../../../src/engine/builds/shared-log.js';
import { projectionSkipsDecider, type Skip } from '../../../src/engine/projections/skips.js';
import { render } from '../../../src/kernel/projection.js';
import { scaleRuns, seeds } from '../../contracts/seed.js';
import { SeededRandom } from '../../support/clock.js';
import { coinsAdded, createContext, jarBroken, type JarDocument, jars, poisonedJars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#2';
const NEVER = new AbortController().signal;

function buildIn(cluster: TestCluster, projection = jars, onProgress?: (progress: BuildProgress) => void) {
  return new BuildFiller(
    projection,
    BUILD,
    { ...cluster, random: new SeededRandom(), log: new SharedLog(cluster.store, cluster.clock) },
    onProgress,
  );
}

async function clusterOf(events: number): Promise<TestCluster> {
  const cluster = new TestCluster();
  for (let i = 0; i < events; i++) await cluster.append(`jar-${i % 7}`, coinsAdded(String(i % 7), String(i), i));
  return cluster;
}

describe('A build', () => {
  it.each(seeds)('equals the log for any events and any number of shards (seed %i)', async (seed) => {
    const logs = fc.array(fc.tuple(fc.nat(9), fc.constantFrom('add', 'add', 'add', 'break')), {
      minLength: 1,
      maxLength: 80,
    });
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 6 }), async (events, shards) => {
        const cluster = new TestCluster();
        for (const [i, [id, what]] of events.entries()) {
          await cluster.append(
            `jar-${id}`,
            what === 'add' ? coinsAdded(String(id), String(i), i) : jarBroken(String(id), String(i)),
          );
        }
        await buildIn(cluster, { ...jars, shards }).run(NEVER);
        const ids = [...new Set(events.map(([id]) => String(id)))].sort();
        expect(await cluster.readDocuments(BUILD)).toEqual(ids.flatMap((id) => rendered(cluster, id)));
        expect(await cluster.readModels.readCheckpoint(BUILD)).toBe(await cluster.store.readHead());
      }),
      { seed, numRuns: scaleRuns(30) },
    );
  });

  it('reports its progress', async () => {
    const cluster = await clusterOf(1_200);
    const reports: BuildProgress[] = [];
    await buildIn(cluster, jars, (progress) => reports.push(progress)).run(NEVER);
    expect(reports.map(({ events }) => events)).toEqual([500, 1_000, 1_200]);
    expect(reports.at(-1)!.position).toBe(await cluster.store.readHead());
  });

  it('resumes at its checkpoint after a stop at any point', async () => {
    const cluster = await clusterOf(3_000);
    const stop = new AbortController();
    const stopped = buildIn(cluster, jars, ({ events }) => events >= 2_000 && stop.abort()).run(stop.signal);
    await expect(stopped).rejects.toThrow('stopped before completion');
    const reached = await cluster.readModels.readCheckpoint(BUILD);
    expect(reached > '' && reached < (await cluster.store.readHead())).toBe(true);

    const reports: BuildProgress[] = [];
    await buildIn(cluster, jars, (progress) => reports.push(progress)).run(NEVER);
    expect(reports.at(-1)!.events).toBeLessThan(3_000);
    for (let id = 0; id < 7; id++)
      expect(await cluster.readDocuments(BUILD)).toContainEqual(render(jars, String(id), cluster.store.log));
  });

  it('is the same when two runs overlap', async () => {
    const cluster = await clusterOf(300);
    await Promise.all([buildIn(cluster).run(NEVER), buildIn(cluster).run(NEVER)]);
    for (let id = 0; id < 7; id++)
      expect(await cluster.readDocuments(BUILD)).toContainEqual(render(jars, String(id), cluster.store.log));
  });

  it('stops at an event that it cannot fold, and names the event', async () => {
    const cluster = new TestCluster();
    await cluster.append('jar-a', coinsAdded('a', '1', 1));
    await cluster.append('jar-b', coinsAdded('b', '1', 5), coinsAdded('b', '2', 13));
    await expect(buildIn(cluster, poisonedJars).run(NEVER)).rejects.toThrow(
      'jar-b at revision 1 (CoinsAdded): Error: thirteen',
    );
    expect((await cluster.readModels.readCheckpoint(BUILD)) < (await cluster.store.readHead())).toBe(true);
  });

  it('ignores a skipped event', async () => {
    const cluster = new TestCluster();
    await cluster.append('jar-a', coinsAdded('a', '1', 1), coinsAdded('a', '2', 13), coinsAdded('a', '3', 2));
    const skip: Skip = { document: 'a', eventId: cluster.store.log[1]!.id };
    const { streams } = cluster.createProcess({});
    await streams.execute(
      projectionSkipsDecider,
      'jars',
      { type: 'SkipEvent', projection: 'jars', reason: 'bad luck', ...skip },
      createContext('skip'),
    );
    await buildIn(cluster, poisonedJars).run(NEVER);
    expect(await cluster.readDocuments(BUILD)).toMatchObject([{ id: 'a', coins: 3 }]);
  });

  it('waits for an unavailable store', async () => {
    const cluster = await clusterOf(20);
    cluster.readModels.unavailableCollections.add(BUILD);
    const running = buildIn(cluster).run(NEVER);
    await cluster.clock.advance(5_000);
    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(10_000);
    await running;
    expect(await cluster.readDocuments(BUILD)).toHaveLength(7);
  });
});

function rendered(cluster: TestCluster, id: string): JarDocument[] {
  const history = cluster.store.log.filter(({ stream }) => stream === `jar-${id}`);
  return history.at(-1)!.type === 'JarBroken' ? [] : [render(jars, id, history)];
}
