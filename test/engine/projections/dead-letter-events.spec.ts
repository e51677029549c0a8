import { updateDeadLetter } from '../../../src/engine/projections/dead-letters.js';
import { withUpcasting } from '../../../src/engine/upcasting-store.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { EventStore, ReadAllOptions, ReadStreamOptions } from '../../../src/kernel/event-store.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { coinsAdded, type JarDocument, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { createProjector } from '../../support/projector.js';

const MANY = 600;

/** All jars are in one document, which takes no thirteen coins before the code is fixed. */
function poisonedJars() {
  let isFixed = false;
  const projection: Projection<JarDocument> = {
    ...jars,
    id: () => 'shelf',
    on: {
      CoinsAdded(document, event, id) {
        if (event.data.coins === 13 && !isFixed) throw new Error('thirteen');
        return { ...jars.on.CoinsAdded!(document, event, id)!, id: 'shelf' };
      },
    },
  };
  return { projection, fix: () => (isFixed = true) };
}

/** A blocked document with many later events from two alternating streams, and the recorded stream reads. */
async function blocked(decorated: (store: EventStore) => EventStore = (store) => store) {
  const cluster = new TestCluster();
  const reads: string[] = [];
  const readStream = cluster.store.readStream.bind(cluster.store);
  cluster.store.readStream = (stream, options) => {
    reads.push(stream);
    return readStream(stream, options);
  };
  const { projection, fix } = poisonedJars();
  const all = await createProjector(projection, cluster, decorated(cluster.store));
  for (let i = 0; i < MANY; i++)
    await cluster.append(`jar-${'ab'[i % 2]}`, coinsAdded('ab'[i % 2]!, `${i}`, i === 0 ? 13 : 1));
  await all.projector.handle(cluster.store.log);
  reads.length = 0;
  const retry = async () => {
    for (const letter of (await all.letters()).filter(({ blocking }) => blocking))
      await updateDeadLetter(cluster.readModels, { ...letter, retry: true });
    await all.projector.refresh();
  };
  return { ...all, projection, fix, retry, reads };
}

/** Returns a store without the events from revision 40 of the second stream on, as long as `isLost`. */
function loseEvents(store: EventStore, isLost: () => boolean): EventStore {
  const isKept = ({ stream, revision }: RecordedEvent) => !isLost() || stream !== 'jar-b' || revision < 40;
  return Object.assign(Object.create(store) as EventStore, {
    async *readStream(stream: string, options?: ReadStreamOptions) {
      for await (const event of store.readStream(stream, options)) {
        if (!isKept(event)) throw new Error('lost');
        yield event;
      }
    },
    async readAll(options: ReadAllOptions) {
      const page = await store.readAll(options);
      return { ...page, events: page.events.filter(isKept) };
    },
  });
}

describe('A retry of a document with many events set aside', () => {
  it('reads the events in ranges of their streams', async () => {
    const { cluster, projection, fix, retry, reads, letters, jarOf } = await blocked();
    expect(await letters()).toMatchObject([{ events: 1 }, { events: MANY / 2 }, { events: MANY / 2 - 1 }]);
    fix();
    await retry();
    expect(await letters()).toEqual([]);
    expect(await jarOf('shelf')).toEqual(render(projection, 'shelf', cluster.store.log));
    expect(reads.filter((stream) => stream.startsWith('jar-')).length).toBeLessThan(MANY / 50);
  });

  it('blocks at a range whose events have no place in the log, and folds it once they have', async () => {
    let isLost = true;
    const { cluster, projection, fix, retry, letters, jarOf } = await blocked((store) =>
      loseEvents(store, () => isLost),
    );
    fix();
    await retry();
    const failed = (await letters()).filter((letter) => letter.blocking);
    expect(failed).toMatchObject([{ stream: 'jar-b', to_revision: 299, error: 'Error: lost' }]);
    expect(await jarOf('shelf')).toMatchObject({ coins: 13 + 79 });

    isLost = false;
    await retry();
    expect(await letters()).toEqual([]);
    expect(await jarOf('shelf')).toEqual(render(projection, 'shelf', cluster.store.log));
  });

  it('folds all events before an unreadable one, and names that one', async () => {
    const unreadable = ({ stream, revision }: RecordedEvent) => stream === 'jar-b' && revision === 40;
    const { fix, retry, letters, jarOf } = await blocked((store) =>
      withUpcasting(store, {
        'CoinsAdded@1': (event) => {
          if (unreadable(event)) throw new Error('not JSON');
          return { ...event, meta: { ...event.meta, v: 2 } };
        },
      }),
    );
    fix();
    await retry();
    const [first] = (await letters()).filter((letter) => letter.blocking);
    expect(first).toMatchObject({ stream: 'jar-b', revision: 40, error: 'Error: not JSON' });
    const waiting = (await letters()).filter((letter) => !letter.blocking);
    expect(waiting.map(({ events }) => events)).toEqual([MANY / 2 - 41, MANY / 2 - 41]);
    expect(await jarOf('shelf')).toMatchObject({ coins: 13 + 80 });
  });
});
