import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { declareQueue } from '../../../src/kernel/queue.js';
import {
  COINS_ADDED,
  coinsAdded,
  createContext,
  jar,
  type JarDocument,
  jars,
  poisonedJars,
} from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const newer: Projection<JarDocument> = { ...jars, version: 2, totals: [['coins']] };
const fussyNewer: Projection<JarDocument> = { ...newer, on: poisonedJars.on };

async function filled(events: number): Promise<TestCluster> {
  const cluster = new TestCluster();
  const old = cluster.createProcess({ projections: [jars] }, 'filling');
  await old.engine.start();
  for (let i = 0; i < events; i++) await cluster.append(`jar-${i % 3}`, coinsAdded(String(i % 3), String(i)));
  await cluster.clock.advance(500);
  await old.engine.stop();
  return cluster;
}

/** Polls whether the start has completed. */
function watched(starting: Promise<void>): { over: boolean } {
  const watch = { over: false };
  void starting.then(() => (watch.over = true));
  return watch;
}

const builds = async (cluster: TestCluster) =>
  (await cluster.readModels.listEntries()).map(({ name, value }) => ({
    name,
    active: (value as { active: number | null }).active,
  }));

describe('A start', () => {
  it('serves reads at once on an empty log', async () => {
    const cluster = new TestCluster();
    const { engine } = cluster.createProcess({ projections: [jars] });
    await engine.start();
    expect(engine.status()).toMatchObject({ building: [], runners: [{ name: 'jars@1#1' }] });
    await engine.stop();
  });

  it('builds a new version beside the old one, which is still served', async () => {
    const cluster = await filled(1_500);
    const old = cluster.createProcess({ projections: [jars] }, 'old');
    await old.engine.start();
    cluster.readModels.unavailableCollections.add('jars@2#1');
    const next = cluster.createProcess({ projections: [newer] }, 'new');
    const starting = watched(next.engine.start());
    await cluster.clock.advance(1_000);
    expect(starting.over).toBe(false);
    expect(next.engine.status().building).toMatchObject([{ name: 'jars@2#1', error: null }]);
    const reading = expect(next.views.get(newer, '0', new ConsistencyContext())).rejects.toThrow(
      'jars@2 is being built',
    );
    await cluster.clock.advance(2_000);
    await reading;
    expect(await old.views.get(jars, '0', new ConsistencyContext())).toMatchObject({ coins: 500 });

    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(10_000);
    expect(starting.over).toBe(true);
    expect(await builds(cluster)).toEqual([
      { name: 'jars@1', active: 1 },
      { name: 'jars@2', active: 1 },
    ]);
    expect(await next.views.get(newer, '0', new ConsistencyContext())).toMatchObject({ coins: 500 });
    await Promise.all([old.engine.stop(), next.engine.stop()]);
  });

  it('makes one build in several processes at once', async () => {
    const cluster = await filled(300);
    const all = ['one', 'two', 'three'].map((holder) => cluster.createProcess({ projections: [newer] }, holder));
    const starting = all.map(({ engine }) => watched(engine.start()));
    await cluster.clock.advance(5_000);
    expect(starting.every(({ over }) => over)).toBe(true);
    expect(await builds(cluster)).toContainEqual({ name: 'jars@2', active: 1 });
    for (const { engine } of all) await engine.stop();
  });

  it('continues the build of a killed process', async () => {
    const cluster = await filled(1_500);
    const first = cluster.createCrashableProcess(() => ({ projections: [newer] }), 'killed');
    void first.engine.start();
    await cluster.clock.advance(25);
    first.kill();
    const second = cluster.createProcess({ projections: [newer] }, 'second');
    const starting = watched(second.engine.start());
    await cluster.clock.advance(30_000);
    expect(starting.over).toBe(true);
    expect(await second.views.get(newer, '2', new ConsistencyContext())).toMatchObject({ coins: 500 });
    await second.engine.stop();
  });

  it('waits without projections for the build of another process', async () => {
    const cluster = await filled(30);
    const api = cluster.createProcess({ projections: [newer] }, 'api');
    const starting = watched(api.engine.start({ projections: false, reactors: false, workers: false }));
    await cluster.clock.advance(5_000);
    expect(starting.over).toBe(false);

    const projector = cluster.createProcess({ projections: [newer] }, 'projector');
    await projector.engine.start();
    await cluster.clock.advance(1_000);
    expect(starting.over).toBe(true);
    const context = createContext('more');
    await api.streams.execute(jar, '0', { type: 'AddCoins', jarId: '0', coins: 5 }, context);
    const reading = api.views.get(newer, '0', context.consistency);
    await cluster.clock.advance(200);
    expect(await reading).toMatchObject({ coins: 15 });
    await Promise.all([api.engine.stop(), projector.engine.stop()]);
  });

  it('stops at an event that a new version cannot fold, and reports it; a later start resumes', async () => {
    const cluster = await filled(30);
    await cluster.append('jar-0', coinsAdded('0', 'bad', 13));
    const wrong = cluster.createProcess({ projections: [fussyNewer] }, 'wrong');
    const starting = watched(wrong.engine.start());
    await cluster.clock.advance(2_000);
    expect(starting.over).toBe(false);
    expect(wrong.engine.status().building).toMatchObject([
      { name: 'jars@2#1', error: 'jar-0 at revision 10 (CoinsAdded): Error: thirteen' },
    ]);
    await wrong.engine.stop();
    expect(starting.over).toBe(true);

    const fixed = cluster.createProcess({ projections: [newer] }, 'mended');
    await fixed.engine.start();
    expect(await fixed.views.get(newer, '0', new ConsistencyContext())).toMatchObject({ coins: 23 });
    await fixed.engine.stop();
  });

  it('serves a build that no process has followed only after it has caught up, and reports it before', async () => {
    const cluster = await filled(30);
    await cluster.append('jar-0', coinsAdded('0', 'not followed', 5));
    cluster.readModels.unavailableCollections.add('jars@1#1');
    const next = cluster.createProcess({ projections: [jars] }, 'after a downgrade');
    await next.engine.startServing();
    await cluster.clock.advance(3_000);
    const reading = expect(next.views.get(jars, '0', new ConsistencyContext())).rejects.toThrow(
      'has not caught up since this process started',
    );
    await cluster.clock.advance(2_000);
    await reading;
    expect(next.engine.status().lagging).toEqual(['jars@1#1']);

    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(10_000);
    expect(next.engine.status().lagging).toEqual([]);
    expect(await next.views.get(jars, '0', new ConsistencyContext())).toMatchObject({ coins: 15 });
    await next.engine.stop();
  });

  it('serves without projections no build before another process has caught up with it', async () => {
    const cluster = await filled(30);
    await cluster.append('jar-0', coinsAdded('0', 'not followed', 5));
    const api = cluster.createProcess({ projections: [jars] }, 'api');
    await api.engine.start({ projections: false, reactors: false, workers: false });
    const reading = expect(api.views.get(jars, '0', new ConsistencyContext())).rejects.toThrow(
      'has not caught up since this process started',
    );
    await cluster.clock.advance(2_000);
    await reading;

    const projector = cluster.createProcess({ projections: [jars] }, 'projector');
    await projector.engine.start();
    await cluster.clock.advance(1_000);
    expect(api.engine.status().lagging).toEqual([]);
    expect(await api.views.get(jars, '0', new ConsistencyContext())).toMatchObject({ coins: 15 });
    await Promise.all([api.engine.stop(), projector.engine.stop()]);
  });

  it('serves the built projections, and runs everything that does not need the unbuilt one', async () => {
    const cluster = await filled(30);
    const reacted: string[] = [];
    const ran: string[] = [];
    const reactor = (name: string, needs: Projection<JarDocument>[]) => ({
      name,
      needs,
      types: COINS_ADDED,
      react: async () => void reacted.push(name),
    });
    const handler = (queue: string, needs: Projection<JarDocument>[]) => ({
      queue: declareQueue({ name: queue }),
      needs,
      concurrency: 1,
      run: async () => void ran.push(queue),
    });
    cluster.readModels.unavailableCollections.add('lots@1#1');
    const lots = { ...jars, name: 'lots' };
    const wiring = {
      projections: [jars, lots],
      reactors: [reactor('free', []), reactor('waiting', [lots])],
      jobs: [handler('free', []), handler('waiting', [lots])],
    };
    await cluster.jobs.enqueue(
      ['free', 'waiting'].map((queue) => ({ key: queue, queue, due: '2026-02-01T09:00:00.000Z', data: {} })),
    );
    const { engine, views } = cluster.createProcess(wiring, 'new release');
    await engine.startServing();
    await cluster.clock.advance(3_000);
    expect(await views.get(jars, '0', new ConsistencyContext())).toMatchObject({ coins: 10 });
    const reading = expect(views.get(lots, '0', new ConsistencyContext())).rejects.toThrow('lots@1 is being built');
    await cluster.clock.advance(2_000);
    await reading;
    expect([new Set(reacted), ran]).toEqual([new Set(['free']), ['free']]);

    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(10_000);
    expect(await views.get(lots, '0', new ConsistencyContext())).toMatchObject({ coins: 10 });
    expect([new Set(reacted), ran]).toEqual([new Set(['free', 'waiting']), ['free', 'waiting']]);
    await engine.stop();
  });
});
