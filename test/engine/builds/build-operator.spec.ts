import { BuildRefused } from '../../../src/engine/builds/catalogue.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { coinsAdded, type JarDocument, jars, poisonedJars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const ENOUGH_MS = 10_000;
const LONGER_THAN_LEASE_MS = 12_000;

const counted: Projection<JarDocument> = { ...jars, version: 2 };

async function started(projection = jars, events = 30) {
  const cluster = new TestCluster();
  for (let i = 0; i < events; i++) await cluster.append(`jar-${i % 3}`, coinsAdded(String(i % 3), String(i)));
  const service = cluster.createProcess({ projections: [projection] });
  await service.engine.start();
  await cluster.clock.advance(1);
  const beside = cluster.createProcess({ projections: [projection] }, 'command line');
  return { cluster, ...service, beside, operator: beside.operator };
}

/** Advances the clock until the promise settles. */
async function done<T>(cluster: TestCluster, work: Promise<T>): Promise<T> {
  const [outcome] = await Promise.all([work.then((value) => () => value, thrown), cluster.clock.advance(ENOUGH_MS)]);
  return outcome();
}

function thrown(error: unknown): () => never {
  return () => {
    throw error;
  };
}

const coinsOf = (documents: unknown[]) => (documents as JarDocument[]).map(({ coins }) => coins);

describe('A rebuild that loses its lease', () => {
  it('continues when no other process took the lease', async () => {
    const { cluster, operator, engine } = await started();
    const { readModels } = cluster;
    const upsert = readModels.upsert.bind(readModels);
    const acquireLease = readModels.acquireLease.bind(readModels);
    let isStarved = false;
    readModels.upsert = async (collection, rows) => {
      if (collection === 'jars@1#2' && !isStarved) {
        isStarved = true;
        await cluster.clock.sleep(LONGER_THAN_LEASE_MS);
        readModels.upsert = upsert;
        isStarved = false;
      }
      return upsert(collection, rows);
    };
    readModels.acquireLease = (...lease) => {
      return isStarved ? Promise.reject(new StoreUnavailable('no response', false)) : acquireLease(...lease);
    };

    const rebuilding = operator.rebuild('jars', { switch: true });
    await cluster.clock.advance(3 * LONGER_THAN_LEASE_MS);
    expect(await done(cluster, rebuilding)).toEqual({ build: 'jars@1#2' });
    expect(await cluster.readDocuments('jars@1#2')).toEqual(await cluster.readDocuments('jars@1#1'));
    await engine.stop();
  });

  it('reports the failure that lasted until then', async () => {
    const { cluster, operator, engine } = await started();
    cluster.readModels.unavailableCollections.add('jars@1#2');
    const rebuilding = operator.rebuild('jars', { switch: true });
    await cluster.clock.advance(1_000);
    cluster.readModels.acquireLease = () => Promise.reject(new StoreUnavailable('the store is full', false));
    await expect(done(cluster, rebuilding)).rejects.toThrow(
      /^StoreUnavailable: jars@1#2 is unavailable: run the command again to continue$/,
    );
    await engine.stop();
  });
});

describe('A rebuild', () => {
  it('runs a build beside the active one, which reads use when it has caught up', async () => {
    const { cluster, operator, views, engine } = await started();
    expect(await done(cluster, operator.rebuild('jars', { switch: true }))).toEqual({ build: 'jars@1#2' });
    expect(await operator.getStatus('jars')).toMatchObject({
      name: 'jars@1',
      current: true,
      active: 'jars@1#2',
      previous: 'jars@1#1',
      builds: [
        { name: 'jars@1#1', status: 'retired', documents: 3 },
        { name: 'jars@1#2', status: 'active', documents: 3 },
      ],
    });
    expect(await cluster.readDocuments('jars@1#2')).toEqual(await cluster.readDocuments('jars@1#1'));
    await cluster.append('jar-0', coinsAdded('0', 'later'));
    await cluster.clock.advance(1_000);
    expect(coinsOf(await cluster.readDocuments('jars@1#1'))).toEqual([11, 10, 10]);
    expect(coinsOf(await cluster.readDocuments('jars@1#2'))).toEqual([11, 10, 10]);
    expect(await views.find(jars, {}, 9, new ConsistencyContext(await cluster.store.readHead()))).toHaveLength(3);
    expect(engine.status().runners.map(({ name }) => name)).toEqual(['jars@1#1', 'jars@1#2']);
    await engine.stop();
  });

  it('is reported as caught up when nobody has read the new build', async () => {
    const cluster = new TestCluster();
    const { engine, operator } = cluster.createProcess({ projections: [jars] });
    await engine.startServing();
    await cluster.append('jar-1', coinsAdded('1', 'first'));
    await cluster.clock.advance(1_000);
    for (const build of ['jars@1#2', 'jars@1#3']) {
      expect(await done(cluster, operator.rebuild('jars', { switch: true }))).toEqual({ build });
      await cluster.clock.advance(1_000);
      expect(engine.status().lagging).toEqual([]);
    }
    await engine.stop();
  });

  it('leaves the activation to the operator on request', async () => {
    const { cluster, operator, engine } = await started();
    await done(cluster, operator.rebuild('jars@1', { switch: false }));
    expect(await operator.getStatus('jars')).toMatchObject({ active: 'jars@1#1', builds: [{}, { status: 'ready' }] });
    expect(await operator.switch('jars')).toEqual({ build: 'jars@1#2' });
    expect(await operator.getStatus('jars')).toMatchObject({ active: 'jars@1#2' });
    await engine.stop();
  });

  it('is refused while another process runs it', async () => {
    const { cluster, operator, engine } = await started();
    const other = cluster.createProcess({ projections: [jars] }, 'another command line');
    const first = operator.rebuild('jars', { switch: true });
    const second = other.operator.rebuild('jars', { switch: true });
    const third = operator.rebuild('jars', { switch: true });
    await done(
      cluster,
      expect(
        Promise.all([expect(second).rejects.toThrow(BuildRefused), expect(third).rejects.toThrow('works on jars@1#2')]),
      ).resolves.toBeDefined(),
    );
    expect(await first).toEqual({ build: 'jars@1#2' });
    await engine.stop();
  });

  it('continues where a killed or stopped run ended', async () => {
    const { cluster, operator, engine } = await started(jars, 2_400);
    const stop = new AbortController();
    const stopped = operator.rebuild('jars', {
      switch: true,
      signal: stop.signal,
      onProgress: ({ events }) => events >= 2_000 && stop.abort(),
    });
    await done(cluster, expect(stopped).rejects.toThrow('stopped before completion'));
    expect((await operator.getStatus('jars')).builds).toMatchObject([
      { status: 'active' },
      { status: 'building', name: 'jars@1#2' },
    ]);

    const seen: number[] = [];
    expect(
      await done(cluster, operator.rebuild('jars', { switch: true, onProgress: ({ events }) => seen.push(events) })),
    ).toEqual({
      build: 'jars@1#2',
    });
    expect(seen.at(-1)).toBeLessThan(2_400);
    expect(coinsOf(await cluster.readDocuments('jars@1#2'))).toEqual([800, 800, 800]);
    await engine.stop();
  });

  it('stops at a poison event, names the event, and resumes once the code can fold it', async () => {
    const { cluster, engine } = await started(jars);
    await cluster.append('jar-1', coinsAdded('1', 'bad', 13));
    const { operator } = cluster.createProcess({ projections: [poisonedJars] }, 'fussy');
    await done(cluster, expect(operator.rebuild('jars', { switch: true })).rejects.toThrow('jar-1 at revision 10'));
    const [live, poisoned] = (await operator.getStatus('jars')).builds;
    expect(live).toMatchObject({ status: 'active' });
    expect(poisoned).toMatchObject({ status: 'failed', error: expect.stringContaining('thirteen') });

    const fixed = cluster.createProcess({ projections: [jars] }, 'mended');
    expect(await done(cluster, fixed.operator.rebuild('jars', { switch: true }))).toEqual({ build: 'jars@1#2' });
    expect(coinsOf(await cluster.readDocuments('jars@1#2'))).toEqual([10, 23, 10]);
    await engine.stop();
  });

  it('can be rolled back in one step', async () => {
    const { cluster, operator, engine } = await started();
    await done(cluster, operator.rebuild('jars', { switch: true }));
    expect(await operator.rollback('jars')).toEqual({ build: 'jars@1#1' });
    expect(await operator.getStatus('jars')).toMatchObject({ active: 'jars@1#1', previous: 'jars@1#2' });
    await engine.stop();
  });
});

describe('Dropping', () => {
  it('removes a build when no process follows or reads it', async () => {
    const { cluster, operator, engine } = await started();
    await done(cluster, operator.rebuild('jars', { switch: true }));
    expect(await done(cluster, operator.drop('jars'))).toEqual({ builds: ['jars@1#1'] });
    expect((await operator.getStatus('jars')).builds.map(({ name }) => name)).toEqual(['jars@1#2']);
    expect(await cluster.readDocuments('jars@1#1')).toEqual([]);
    expect(engine.status().runners.map(({ name }) => name)).toEqual(['jars@1#2']);
    await expect(operator.rollback('jars')).rejects.toThrow('no earlier build');
    await engine.stop();
  });

  it("is completed by a running service when the operator's process has died", async () => {
    const { cluster, operator, engine } = await started();
    await done(cluster, operator.rebuild('jars', { switch: true }));
    const stop = new AbortController();
    const dropping = operator.drop('jars', 1, stop.signal);
    await cluster.clock.advance(100);
    stop.abort();
    await dropping;
    await cluster.clock.advance(ENOUGH_MS);
    expect((await operator.getStatus('jars')).builds).toHaveLength(1);
    await engine.stop();
  });

  it('is refused for the active build, and when several builds are possible', async () => {
    const { cluster, operator, engine } = await started();
    await expect(operator.drop('jars')).rejects.toThrow('no build except the active one');
    await expect(operator.drop('jars', 1)).rejects.toThrow('#1 is active');
    await done(cluster, operator.rebuild('jars', { switch: true }));
    await done(cluster, operator.rebuild('jars', { switch: false }));
    await expect(operator.drop('jars')).rejects.toThrow('choose one of the builds: #1, #3');
    await engine.stop();
  });

  it('removes all builds of a version that is not in the code', async () => {
    const { cluster, engine } = await started();
    await engine.stop();
    const { operator } = cluster.createProcess({ projections: [counted] }, 'newer');
    expect((await operator.list()).map(({ name, current }) => ({ name, current }))).toEqual([
      { name: 'jars@1', current: false },
      { name: 'jars@2', current: true },
    ]);
    expect(await done(cluster, operator.drop('jars@1'))).toEqual({ builds: ['jars@1#1'] });
    expect((await operator.list()).map(({ name }) => name)).toEqual(['jars@2']);
  });
});

describe('A paused projection', () => {
  it('stays at its position, is served from there, and continues from there', async () => {
    const { cluster, operator, engine, views } = await started();
    await operator.pause('jars');
    await cluster.clock.advance(1_000);
    await cluster.append('jar-0', coinsAdded('0', 'later'));
    await cluster.clock.advance(1_000);
    const progress = new ConsistencyContext(await cluster.store.readHead());
    const reading = views.get(jars, '0', progress);
    await cluster.clock.advance(2_000);
    expect(await reading).toMatchObject({ coins: 10 });
    expect(progress.isStale).toBe(true);

    await operator.resume('jars');
    await cluster.clock.advance(1_000);
    expect(await views.get(jars, '0', new ConsistencyContext(progress.position))).toMatchObject({ coins: 11 });
    await engine.stop();
  });
});

describe('An unknown projection name', () => {
  it('is refused', async () => {
    const { operator, engine } = await started();
    await expect(operator.getStatus('lids')).rejects.toThrow('there is no projection lids');
    await expect(operator.rebuild('jars@7', { switch: true })).rejects.toThrow(BuildRefused);
    await engine.stop();
  });
});
