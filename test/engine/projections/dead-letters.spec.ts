import { updateDeadLetter } from '../../../src/engine/projections/dead-letters.js';
import { withUpcasting } from '../../../src/engine/upcasting-store.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { coinsAdded, type JarDocument, jars, poisonedJars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { createProjector } from '../../support/projector.js';

const JARS = 'jars@1';

describe('An event that a projection cannot fold', () => {
  async function poisoned() {
    const all = await createProjector(poisonedJars);
    await all.cluster.append('jar-a', coinsAdded('a', '1', 1), coinsAdded('a', '2', 13), coinsAdded('a', '3', 2));
    await all.cluster.append('jar-b', coinsAdded('b', '1', 5));
    await all.projector.handle(all.cluster.store.log);
    return all;
  }

  it('blocks its document only, which keeps its earlier state', async () => {
    const { jarOf } = await poisoned();
    expect(await jarOf('a')).toMatchObject({ coins: 1 });
    expect(await jarOf('b')).toMatchObject({ coins: 5 });
  });

  it('is a dead letter, for which the later events of that document wait', async () => {
    const { cluster, projector, letters } = await poisoned();
    await cluster.append('jar-a', coinsAdded('a', '4', 2));
    await projector.handle(cluster.store.log.slice(4));
    const places = (...all: number[]) => all.map((i) => cluster.store.log[i]!.position);
    expect(
      (await letters()).map(({ document, position, to_position, events, error, blocking }) => ({
        document,
        places: [position, to_position],
        events,
        error,
        blocking,
      })),
    ).toEqual([{ document: 'a', places: places(1, 4), events: 3, error: 'Error: thirteen', blocking: true }]);
  });

  it('is identified in its dead letter by its stream and its id', async () => {
    const { cluster, letters } = await poisoned();
    const { id, stream, revision } = cluster.store.log[1]!;
    expect((await letters())[0]).toMatchObject({ event: id, stream, revision });
  });

  it('is stored in its dead letter without its data', async () => {
    const { letters } = await poisoned();
    expect(JSON.stringify(await letters())).not.toContain('jarId');
  });

  it('stays a dead letter in the next process, which keeps the events before it', async () => {
    const { cluster, letters } = await poisoned();
    const before = await letters();
    const second = await createProjector(poisonedJars, cluster);
    await second.projector.handle(cluster.store.log);
    expect(await letters()).toEqual(before);

    await cluster.readModels.dropCollection(JARS);
    const third = await createProjector(poisonedJars, cluster);
    await third.projector.handle(cluster.store.log);
    expect(await third.jarOf('a')).toMatchObject({ coins: 1 });
  });

  it('is tried three times', async () => {
    let tries = 0;
    const moody: Projection<JarDocument> = {
      ...jars,
      on: {
        CoinsAdded: (document, event, id) => {
          if (++tries < 3) throw new Error('not now');
          return jars.on.CoinsAdded!(document, event, id);
        },
      },
    };
    const { cluster, projector, jarOf, letters } = await createProjector(moody);
    await cluster.append('jar-a', coinsAdded('a', '1', 5));
    await projector.handle(cluster.store.log);
    expect(await jarOf('a')).toMatchObject({ coins: 5 });
    expect(await letters()).toEqual([]);
  });

  it('blocks its stream when its document cannot be determined', async () => {
    const { cluster, projector, letters, jarOf } = await createProjector();
    await cluster.append('jar-a', coinsAdded('a', '1', 1));
    await cluster.append('jar-b', coinsAdded('b', '1', 1), coinsAdded('b', '2', 1));
    const isPoisoned = cluster.store.log.map((event, i) => (i === 1 ? unreadable(event) : event));
    await projector.handle(isPoisoned);
    expect((await letters()).map(({ document, stream }) => ({ document, stream }))).toEqual([
      { document: null, stream: 'jar-b' },
    ]);
    expect(await jarOf('a')).toMatchObject({ coins: 1 });
    expect(await jarOf('b')).toBeNull();
  });
});

describe('A blocked stream', () => {
  const shared: Projection<JarDocument> = { ...jars, id: ({ data }) => data && 'shelf' };

  it('is folded again into documents that other streams have advanced', async () => {
    const { cluster, projector, letters, loadSharedJar, fix } = await blocked();
    fix();
    const [letter] = await letters();
    await updateDeadLetter(cluster.readModels, { ...letter!, retry: true });
    await projector.refresh();
    expect(await loadSharedJar()).toEqual(render(shared, 'shelf', cluster.store.log));
    expect(await letters()).toEqual([]);
  });

  it('stays blocked while it cannot be read', async () => {
    const { cluster, projector, letters, loadSharedJar } = await blocked();
    const [letter] = await letters();
    await updateDeadLetter(cluster.readModels, { ...letter!, retry: true });
    await projector.refresh();
    expect((await letters())[0]).toEqual({ ...letter, error: 'Error: not JSON' });
    expect(await loadSharedJar()).toMatchObject({ coins: 5 });
  });

  async function blocked() {
    let isPoisoned = true;
    const cluster = new TestCluster();
    const newer = (event: RecordedEvent) => ({ ...event, meta: { ...event.meta, v: 2 } });
    const store = withUpcasting(cluster.store, {
      'CoinsAdded@1': (event) => (isPoisoned && event.stream === 'jar-b' ? notJson() : newer(event)),
    });
    const { projector, letters } = await createProjector(shared, cluster, store);
    await cluster.append('jar-a', coinsAdded('a', '1', 1));
    await cluster.append('jar-b', coinsAdded('b', '1', 2));
    await cluster.append('jar-a', coinsAdded('a', '2', 4));
    await projector.handle((await store.readAll({ limit: 10 })).events);
    const loadSharedJar = async () => (await cluster.readModels.load('jars@1', ['shelf']))[0]!.document;
    return { cluster, projector, letters, loadSharedJar, fix: () => (isPoisoned = false) };
  }
});

describe('An event that cannot be folded into an index that decisions depend on', () => {
  const deciding: Projection<JarDocument> = { ...poisonedJars, stopOnPoison: true };

  it('stops the whole index, and is named', async () => {
    const { cluster, projector, jarOf, letters } = await createProjector(deciding);
    await cluster.append('jar-a', coinsAdded('a', '1', 1), coinsAdded('a', '2', 13));
    await cluster.append('jar-b', coinsAdded('b', '1', 5));
    await expect(projector.handle(cluster.store.log)).rejects.toThrow(
      'jar-a at revision 1 (CoinsAdded): Error: thirteen',
    );
    await expect(projector.handle(cluster.store.log)).rejects.toThrow(
      'jar-a at revision 1 (CoinsAdded): Error: thirteen',
    );
    expect([await jarOf('a'), await jarOf('b')]).toEqual([null, null]);
    expect(await letters()).toEqual([
      expect.objectContaining({ document: 'a', revision: 1, error: 'Error: thirteen', blocking: true }),
    ]);
  });

  it('lets the index continue when it can be folded', async () => {
    const { cluster, projector, letters } = await createProjector(deciding);
    await cluster.append('jar-a', coinsAdded('a', '1', 13), coinsAdded('a', '2', 2));
    await expect(projector.handle(cluster.store.log)).rejects.toThrow('thirteen');
    const { projector: fixed, jarOf } = await createProjector({ ...jars, stopOnPoison: true }, cluster);
    await fixed.handle(cluster.store.log);
    expect(await jarOf('a')).toMatchObject({ coins: 15 });
    expect(await letters()).toEqual([]);
  });
});

function unreadable(event: RecordedEvent): RecordedEvent {
  return Object.defineProperty({ ...event }, 'data', { get: notJson });
}

function notJson(): never {
  throw new Error('not JSON');
}
