import fc from 'fast-check';
import { START } from '../../src/kernel/position.js';
import { scaleRuns, seeds } from '../contracts/seed.js';
import { coinsAdded, createContext, jar, type JarDocument, jars, lidClosed, lids } from '../support/jar.js';
import { TestCluster } from '../support/memory/test-cluster.js';

const JARS = 'jars@1#1';
const LIDS = 'lids@1#1';

async function jarsIn(cluster: TestCluster): Promise<JarDocument[]> {
  return (await cluster.readDocuments(JARS)) as JarDocument[];
}

describe('An engine', () => {
  it('shows a write to its writer at once', async () => {
    const cluster = new TestCluster();
    const { engine, streams, views } = cluster.createProcess({ projections: [jars] });
    await engine.start();
    const context = createContext('add');
    await streams.execute(jar, 'a', { type: 'AddCoins', jarId: 'a', coins: 3 }, context);
    const reading = views.get(jars, 'a', context.consistency);
    await cluster.clock.advance(0);
    expect(await reading).toMatchObject({ coins: 3 });
    expect(context.consistency.isStale).toBe(false);
    await engine.stop();
  });

  it('moves the checkpoint of a projection over events of other types', async () => {
    const cluster = new TestCluster();
    const { engine } = cluster.createProcess({ projections: [jars, lids] });
    await engine.start();
    const position = await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(100);
    expect(await cluster.readModels.readCheckpoint(JARS)).toBe(position);
    expect(await cluster.readModels.readCheckpoint(LIDS)).toBe(position);
    await engine.stop();
  });

  it('writes checkpoints without applied events together, at the latest when it stops', async () => {
    const cluster = new TestCluster();
    const { engine } = cluster.createProcess({ projections: [lids, { ...lids, name: 'caps' }] });
    await engine.start();
    await cluster.clock.advance(200);
    for (let i = 0; i < 20; i++) {
      await cluster.append('jar-a', coinsAdded('a', String(i)));
      await cluster.clock.advance(1);
    }
    await engine.stop();
    expect(cluster.readModels.advances).toHaveLength(1);
    expect(await cluster.readModels.readCheckpoint('caps@1#1')).toBe(await cluster.store.readHead());
  });

  it('catches up each projection from its own position, until all take the same pages', async () => {
    const cluster = new TestCluster();
    const first = cluster.createProcess({ projections: [jars] });
    await first.engine.start();
    for (let i = 0; i < 1_200; i++) await cluster.append(`jar-${i % 3}`, coinsAdded(String(i % 3), String(i)));
    await cluster.append('lid-x', lidClosed('x', '1'));
    await cluster.clock.advance(500);
    await first.engine.stop();

    const second = cluster.createProcess({ projections: [jars, lids] });
    await second.engine.start();
    await cluster.clock.advance(10);
    expect(second.engine.status().runners).toMatchObject([
      { name: JARS, position: await cluster.store.readHead(), live: true, failing: null },
      { name: LIDS, position: await cluster.store.readHead(), live: true, failing: null },
    ]);
    await cluster.append('lid-x', lidClosed('x', '2'));
    await cluster.clock.advance(10);
    expect(await cluster.readDocuments(LIDS)).toMatchObject([{ events: [expect.any(String), expect.any(String)] }]);
    expect((await jarsIn(cluster)).map(({ coins }) => coins)).toEqual([400, 400, 400]);
    await second.engine.stop();
  });

  it.each(seeds)(
    'folds every event once while projections lag and catch up (seed %i)',
    async (seed) => {
      const bursts = fc.array(fc.record({ events: fc.integer({ min: 1, max: 900 }), away: fc.boolean() }), {
        minLength: 4,
        maxLength: 10,
      });
      await fc.assert(
        fc.asyncProperty(bursts, async (all) => {
          const cluster = new TestCluster();
          const { engine } = cluster.createProcess({ projections: [jars, lids] });
          await engine.start();
          for (const [burst, { events, away }] of all.entries()) {
            if (away) cluster.readModels.unavailableCollections.add(JARS);
            else cluster.readModels.unavailableCollections.clear();
            await cluster.append(
              'jar-a',
              ...Array.from({ length: events }, (_, i) => coinsAdded('a', `${burst}:${i}`)),
            );
            await cluster.append('lid-x', lidClosed('x', String(burst)));
            await cluster.clock.advance(20);
          }
          cluster.readModels.unavailableCollections.clear();
          await cluster.clock.advance(20_000);
          const written = cluster.store.log.filter(({ type }) => type === 'CoinsAdded').map(({ id }) => id);
          expect((await jarsIn(cluster))[0]!.events).toEqual(written);
          expect(await cluster.readModels.readCheckpoint(JARS)).toBe(await cluster.store.readHead());
          await engine.stop();
        }),
        { seed, numRuns: scaleRuns(8) },
      );
    },
    60_000,
  );
});

describe('A crash between the documents and the checkpoint', () => {
  it('repeats the page, which leaves the documents unchanged', async () => {
    const cluster = new TestCluster();
    cluster.readModels.checkpointsUnavailable = true;
    const first = cluster.createProcess({ projections: [jars] });
    await first.engine.start();
    await cluster.append('jar-a', coinsAdded('a', '1'), coinsAdded('a', '2'));
    await cluster.clock.advance(10);
    const before = await jarsIn(cluster);
    expect(before).toMatchObject([{ coins: 2 }]);
    expect(await cluster.readModels.readCheckpoint(JARS)).toBe(START);
    await first.engine.stop();

    cluster.readModels.checkpointsUnavailable = false;
    const second = cluster.createProcess({ projections: [jars] }, 'process 2');
    await second.engine.start();
    await cluster.clock.advance(100);
    expect(await jarsIn(cluster)).toEqual(before);
    expect(await cluster.readModels.readCheckpoint(JARS)).toBe(await cluster.store.readHead());
    await second.engine.stop();
  });
});

describe('A checkpoint', () => {
  it('is never ahead of the applied events', async () => {
    const cluster = new TestCluster();
    const { engine, waiters } = cluster.createProcess({ projections: [jars, lids] });
    await engine.start();
    cluster.readModels.unavailableCollections.add(JARS);
    const position = await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(5_000);
    expect(await cluster.readModels.readCheckpoint(JARS)).toBe(START);
    expect(await cluster.readModels.readCheckpoint(LIDS)).toBe(position);
    expect(await waiters.waitUntil(LIDS, position, 0)).toBe(true);
    expect(await waiters.waitUntil(JARS, position, 0)).toBe(false);

    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(5_000);
    expect(await cluster.readModels.readCheckpoint(JARS)).toBe(position);
    await engine.stop();
  });

  it('never moves back, whichever process writes it', async () => {
    const cluster = new TestCluster();
    const engines = ['one', 'two', 'three'].map(
      (holder) => cluster.createProcess({ projections: [jars] }, holder).engine,
    );
    for (const engine of engines) await engine.start();
    const seen: string[] = [];
    for (let i = 0; i < 30; i++) {
      await cluster.append('jar-a', coinsAdded('a', String(i)));
      if (i % 3 === 0) await cluster.clock.advance(1);
      seen.push(await cluster.readModels.readCheckpoint(JARS));
    }
    await cluster.clock.advance(10);
    for (const engine of engines) await engine.stop();
    expect(seen).toEqual(seen.toSorted());
    expect(await jarsIn(cluster)).toMatchObject([{ coins: 30 }]);
    expect(new Set((await jarsIn(cluster))[0]!.events).size).toBe(30);
  });
});

describe('An unavailable store', () => {
  it('appears in the status during the outage, and stops that projection only', async () => {
    const cluster = new TestCluster();
    const { engine } = cluster.createProcess({ projections: [jars, lids] });
    await engine.start();
    cluster.readModels.unavailableCollections.add(JARS);
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.append('lid-x', lidClosed('x', '1'));
    await cluster.clock.advance(1_000);
    const failing = () => engine.status().runners.map((runner) => runner.failing?.error ?? null);
    expect(failing()).toEqual(['StoreUnavailable: jars@1#1 is unavailable', null]);
    expect(await cluster.readDocuments(LIDS)).toHaveLength(1);

    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(5_000);
    expect(failing()).toEqual([null, null]);
    expect(await jarsIn(cluster)).toHaveLength(1);
    await engine.stop();
  });
});
