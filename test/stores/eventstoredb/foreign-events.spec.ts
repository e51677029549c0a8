import { withUpcasting } from '../../../src/engine/upcasting-store.js';
import type { EventStore } from '../../../src/kernel/event-store.js';
import { START } from '../../../src/kernel/position.js';
import { collect, createEvent, createEvents, flattenPages, pickIds, readFollowed } from '../../contracts/events.js';
import { setUpServerFixture } from '../../support/eventstoredb/server-fixture.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { createProjector } from '../../support/projector.js';

const STREAM = 'jar-1';
const OWN_META = JSON.stringify(createEvent().meta);

describe('An EventStoreDB that other applications also use', () => {
  const cluster = setUpServerFixture();
  let store: EventStore;
  beforeEach(() => {
    store = cluster.current.openStore();
  });

  const write = (stream: string, data: string, metadata: string, type = 'Odd') =>
    cluster.current.server.log.appendText(stream, type, data, metadata);

  it.each([
    ['no metadata', ''],
    ['metadata that are not JSON', '[1'],
    ['metadata that are not an object', '5'],
    ['empty metadata', '{}'],
    ['incomplete metadata', '{"at":"2026-02-01T09:00:00.000Z","commandId":"1"}'],
  ])('returns pages that skip and count an event with %s', async (_, metadata) => {
    const given = createEvents(2);
    await store.append(STREAM, 'none', given.slice(0, 1));
    write('orders-77', '{}', metadata);
    await store.append(STREAM, 0, given.slice(1));

    const page = await store.readAll({ limit: 10 });
    expect(page).toMatchObject({ foreign: 1, caughtUp: true });
    expect(pickIds(page.events)).toEqual(pickIds(given));
    const pages = await readFollowed(store, { after: START }, 2);
    expect(pickIds(flattenPages(pages))).toEqual(pickIds(given));
    expect(pages.reduce((sum, { foreign = 0 }) => sum + foreign, 0)).toBe(1);
  });

  it('advances a follower past foreign events up to the head', async () => {
    const pages = store.follow({ after: START }, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
    await pages.next();
    const passing = pages.next();
    write('orders-77', '{}', '');

    expect((await passing).value).toEqual({ events: [], next: await store.readHead(), caughtUp: true, foreign: 1 });
  });

  it.each(['{"coins":', '5', ''])(
    'returns an event with malformed data (%s) that throws only when the data are accessed',
    async (data) => {
      await store.append(STREAM, 'none', createEvents(1));
      write(STREAM, data, OWN_META);
      await store.append('jar-2', 'none', createEvents(1));
      const said = 'jar-1: event 1 (Odd) has no data that can be read as a JSON object';

      for (const read of [
        (await store.readAll({ limit: 10 })).events,
        flattenPages(await readFollowed(store, { after: START }, 3)),
      ]) {
        expect(read.map(({ stream, revision }) => [stream, revision])).toEqual([
          [STREAM, 0],
          [STREAM, 1],
          ['jar-2', 0],
        ]);
        expect(() => read[1]!.data).toThrow(said);
        expect(() => ({ ...read[1]! })).not.toThrow();
      }
      await expect(collect(store.readStream(STREAM))).rejects.toThrow(said);
    },
  );

  it('leads to a dead letter for malformed data of the service, and ignores foreign events of the same type', async () => {
    await store.append('jar-a', 'none', [coinsAdded('a', '1', 2)]);
    write('jar-77', '{"jarId":"b"}', '{}', 'CoinsAdded');
    write('jar-a', '', OWN_META, 'CoinsAdded');
    await store.append('jar-b', 'none', [coinsAdded('b', '1', 5)]);
    const newest = withUpcasting(store, {
      'CoinsAdded@1': (event) => ({ ...event, data: { ...event.data }, meta: { ...event.meta, v: 2 } }),
    });
    const { projector, letters, jarOf } = await createProjector(jars, new TestCluster(), newest);
    await projector.handle(flattenPages(await readFollowed(newest, { after: START }, 3)));

    expect([await jarOf('a'), await jarOf('b')]).toMatchObject([{ coins: 2 }, { coins: 5 }]);
    expect(await letters()).toMatchObject([
      { stream: 'jar-a', revision: 1, error: expect.stringContaining('MalformedEvent') as string },
    ]);
  });

  it('refuses to read a stream of the service that holds a foreign event, and names the event', async () => {
    await store.append(STREAM, 'none', createEvents(1));
    write(STREAM, '{}', '{}');

    await expect(collect(store.readStream(STREAM))).rejects.toThrow(
      'jar-1: event 1 (Odd) has no metadata of this service',
    );
  });
});
