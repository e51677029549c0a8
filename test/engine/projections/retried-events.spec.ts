import { updateDeadLetter } from '../../../src/engine/projections/dead-letters.js';
import { withUpcasting } from '../../../src/engine/upcasting-store.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { EventStore } from '../../../src/kernel/event-store.js';
import type { Position } from '../../../src/kernel/position.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { coinsAdded, type JarDocument, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { createProjector } from '../../support/projector.js';

const EARLIER = 100;
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

/** A document that is blocked in the middle of the log, with many later events from two alternating streams. */
async function blocked(decorated: (store: EventStore) => EventStore = (store) => store) {
  const cluster = new TestCluster();
  const { projection, fix } = poisonedJars();
  const all = await createProjector(projection, cluster, decorated(cluster.store));
  for (let i = 0; i < EARLIER + MANY; i++)
    await cluster.append(`jar-${'ab'[i % 2]}`, coinsAdded('ab'[i % 2]!, `${i}`, i === EARLIER ? 13 : 1));
  await all.projector.handle(cluster.store.log);
  const retry = async () => {
    for (const letter of await all.letters()) await updateDeadLetter(cluster.readModels, { ...letter, retry: true });
    await all.projector.refresh();
  };
  return { ...all, projection, fix, retry };
}

describe('A retry of a document with many events set aside', () => {
  it('reads the log from the event that failed on', async () => {
    const { cluster, projection, fix, retry, letters, jarOf } = await blocked();
    expect(await letters()).toMatchObject([{ events: MANY }]);
    const reads: (Position | undefined)[] = [];
    const readAll = cluster.store.readAll.bind(cluster.store);
    cluster.store.readAll = (options) => {
      if (!options.backwards) reads.push(options.after);
      return readAll(options);
    };
    fix();
    await retry();
    expect(await letters()).toEqual([]);
    expect(await jarOf('shelf')).toEqual(render(projection, 'shelf', cluster.store.log));
    expect(reads[0]).toBe(cluster.store.log[EARLIER - 1]!.position);
  });

  it('folds all events before an unreadable one, and names that one', async () => {
    const unreadable = ({ stream, revision }: RecordedEvent) => stream === 'jar-b' && revision === EARLIER / 2 + 40;
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
    expect(await letters()).toMatchObject([
      { stream: 'jar-b', revision: EARLIER / 2 + 40, error: 'Error: not JSON', events: MANY - 81 },
    ]);
    expect(await jarOf('shelf')).toMatchObject({ coins: EARLIER + 13 + 80 });
  });
});
