import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { coinsAdded, type JarDocument, jars, poisonedJars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const EVENTS = 20_000;
const JARS = 1_000;
const next: Projection<JarDocument> = { ...jars, version: 2 };
const named = (name: string): Projection<JarDocument> => ({ ...jars, name });

async function filled(events: number): Promise<TestCluster> {
  const cluster = new TestCluster();
  const added = Array.from({ length: events }, (_, i) => coinsAdded('0', String(i)));
  await cluster.append('jar-0', ...added);
  return cluster;
}

/** Advances the clock until the run has ended. */
async function whilePassing<T>(cluster: TestCluster, work: Promise<T>): Promise<T> {
  const ended = { over: false };
  void work.finally(() => (ended.over = true)).catch(() => undefined);
  while (!ended.over) await cluster.clock.advance(100);
  return work;
}

describe('Building ahead', () => {
  it('builds the next version while the current one runs, and a start serves it at once', async () => {
    const cluster = await filled(300);
    const old = cluster.createProcess({ projections: [jars] }, 'old release');
    await whilePassing(cluster, old.engine.start());
    const tool = cluster.createProcess({ projections: [next] }, 'tool');
    expect(await whilePassing(cluster, tool.operator.buildAhead())).toEqual({ built: ['jars@2#1'], failed: [] });
    expect(await old.views.get(jars, '0', new ConsistencyContext())).toMatchObject({ coins: 300 });

    await cluster.append('jar-0', coinsAdded('0', 'later'));
    const started = cluster.createProcess({ projections: [next] }, 'next release');
    await started.engine.startServing();
    await cluster.clock.advance(100);
    expect(started.engine.status().building).toEqual([]);
    expect(await started.views.get(next, '0', new ConsistencyContext())).toMatchObject({ coins: 301 });
    await Promise.all([old.engine.stop(), started.engine.stop()]);
  });

  it('builds nothing when every version has a build', async () => {
    const cluster = await filled(10);
    const { operator } = cluster.createProcess({ projections: [jars] });
    await whilePassing(cluster, operator.buildAhead());
    expect(await operator.buildAhead()).toEqual({ built: [], failed: [] });
  });

  it('completes the other builds when one fails, and returns the error', async () => {
    const cluster = await filled(10);
    await cluster.append('jar-1', coinsAdded('1', 'bad', 13));
    const { operator } = cluster.createProcess({ projections: [{ ...poisonedJars, name: 'fussy' }, jars] });
    expect(await whilePassing(cluster, operator.buildAhead())).toEqual({
      built: ['jars@1#1'],
      failed: [{ projection: 'fussy@1', error: 'jar-1 at revision 0 (CoinsAdded): Error: thirteen' }],
    });
  });

  it('reads the log once for all builds', async () => {
    const cluster = new TestCluster();
    for (let i = 0; i < JARS; i++) {
      const added = Array.from({ length: EVENTS / JARS }, (_, n) => coinsAdded(`${i}`, `${n}`));
      await cluster.store.append(`jar-${i}`, 'none', added);
    }
    const names = ['one', 'two', 'three', 'four', 'five'];
    const projections = names.map(named);
    let read = 0;
    const readAll = cluster.store.readAll.bind(cluster.store);
    cluster.store.readAll = async (options) => {
      const page = await readAll(options);
      read += page.events.length;
      return page;
    };
    const { operator, views, engine } = cluster.createProcess({ projections });
    await whilePassing(cluster, operator.buildAhead());
    expect(read).toBeLessThan(2 * EVENTS);
    await whilePassing(cluster, engine.start());
    for (const projection of projections)
      expect(await views.get(projection, '0', new ConsistencyContext())).toMatchObject({ coins: EVENTS / JARS });
    await engine.stop();
  });
});
