import { projectionSkipsDecider, Skips, withSkips } from '../../../src/engine/projections/skips.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { coinsAdded, createContext, type JarDocument, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

/** A projection with two documents for each event. */
const pairs: Projection<JarDocument> = { ...jars, id: () => ['one', 'other'] };

describe('The skips of a projection', () => {
  async function skipping() {
    const cluster = new TestCluster();
    await cluster.append('jar-a', coinsAdded('a', '1'), coinsAdded('a', '2'));
    const events = [...cluster.store.log];
    const { streams } = cluster.createProcess({});
    const skip = (n: number, document: string | null, projection = 'jars') =>
      streams.execute(
        projectionSkipsDecider,
        projection,
        { type: 'SkipEvent', projection, document, eventId: events[n]!.id, reason: 'bent' },
        createContext(`skip ${n} ${document} ${projection}`),
      );
    return { skips: new Skips(cluster.store, 'jars'), events, skip };
  }

  it('are read once, however often they are loaded', async () => {
    const { skips, events, skip } = await skipping();
    await skip(0, 'one');
    await skips.load();
    await skips.load();
    await skip(1, 'one');
    await skips.load();

    expect(skips.count).toBe(2);
    expect(skips.listAfter(1)).toMatchObject([{ document: 'one', eventId: events[1]!.id }]);
  });

  it('of one document leave the event in its other documents', async () => {
    const { skips, events, skip } = await skipping();
    await skip(0, 'one');
    await skips.load();
    const projection = withSkips(pairs, skips);

    expect(events.map((event) => projection.id(event))).toEqual([['other'], ['one', 'other']]);
  });

  it('of the whole projection leave the event in no document', async () => {
    const { skips, events, skip } = await skipping();
    await skip(0, null);
    await skips.load();
    const projection = withSkips(pairs, skips);

    expect(events.map((event) => projection.id(event))).toEqual([null, ['one', 'other']]);
  });

  it('of another projection have no effect', async () => {
    const { skips, events, skip } = await skipping();
    await skip(0, null, 'lids');
    await skips.load();

    expect(withSkips(pairs, skips).id(events[0]!)).toEqual(['one', 'other']);
  });
});
