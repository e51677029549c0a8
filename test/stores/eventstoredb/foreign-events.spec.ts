import type { EventStore } from '../../../src/kernel/event-store.js';
import { upcasting } from '../../../src/engine/upcasting-store.js';
import { START } from '../../../src/kernel/position.js';
import { all, event, events, eventsOf, followed, ids } from '../../contracts/events.js';
import { eachHouse } from '../../support/eventstoredb/house.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { House as MemoryHouse } from '../../support/memory/house.js';
import { startedProjector } from '../../support/projector.js';

const STREAM = 'jar-1';
const OURS = JSON.stringify(event().meta);

describe('In an EventStoreDB that others use too', () => {
  const house = eachHouse();
  let store: EventStore;
  beforeEach(() => {
    store = house.current.store();
  });

  const write = (stream: string, data: string, metadata: string, type = 'Odd') =>
    house.current.server.log.appendText(stream, type, data, metadata);

  it.each([
    ['nothing', ''],
    ['no JSON', '[1'],
    ['no object', '5'],
    ['nothing of ours', '{}'],
    ['a part of ours', '{"at":"2026-02-01T09:00:00.000Z","commandId":"1"}'],
  ])('an event with %s for metadata is passed over, and counted', async (_, metadata) => {
    const given = events(2);
    await store.append(STREAM, 'none', given.slice(0, 1));
    write('orders-77', '{}', metadata);
    await store.append(STREAM, 0, given.slice(1));

    const page = await store.readAll({ limit: 10 });
    expect(page).toMatchObject({ foreign: 1, caughtUp: true });
    expect(ids(page.events)).toEqual(ids(given));
    const pages = await followed(store, { after: START }, 2);
    expect(ids(eventsOf(pages))).toEqual(ids(given));
    expect(pages.reduce((sum, { foreign = 0 }) => sum + foreign, 0)).toBe(1);
  });

  it('a follower comes past what others write, as far as the head', async () => {
    const pages = store.follow({ after: START }, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
    await pages.next();
    const passing = pages.next();
    write('orders-77', '{}', '');

    expect((await passing).value).toEqual({ events: [], next: await store.head(), caughtUp: true, foreign: 1 });
  });

  it.each(['{"coins":', '5', ''])(
    'an event of ours whose data are spoiled (%s) throws when they are looked at, and not before',
    async (data) => {
      await store.append(STREAM, 'none', events(1));
      write(STREAM, data, OURS);
      await store.append('jar-2', 'none', events(1));
      const said = 'jar-1: event 1 (Odd) has no data that can be read as a JSON object';

      for (const read of [(await store.readAll({ limit: 10 })).events, eventsOf(await followed(store, { after: START }, 3))]) {
        expect(read.map(({ stream, revision }) => [stream, revision])).toEqual([
          [STREAM, 0],
          [STREAM, 1],
          ['jar-2', 0],
        ]);
        expect(() => read[1]!.data).toThrow(said);
        expect(() => ({ ...read[1]! })).not.toThrow();
      }
      await expect(all(store.readStream(STREAM))).rejects.toThrow(said);
    },
  );

  it('one of ours whose data are spoiled is a dead letter of its own stream; what others write under the same type is nothing', async () => {
    await store.append('jar-a', 'none', [coinsAdded('a', '1', 2)]);
    write('jar-77', '{"jarId":"b"}', '{}', 'CoinsAdded');
    write('jar-a', '', OURS, 'CoinsAdded');
    await store.append('jar-b', 'none', [coinsAdded('b', '1', 5)]);
    const newest = upcasting(store, { 'CoinsAdded@1': (event) => ({ ...event, data: { ...event.data }, meta: { ...event.meta, v: 2 } }) });
    const { projector, letters, jarOf } = await startedProjector(jars, new MemoryHouse(), newest);
    await projector.take(eventsOf(await followed(newest, { after: START }, 3)));

    expect([await jarOf('a'), await jarOf('b')]).toMatchObject([{ coins: 2 }, { coins: 5 }]);
    expect(await letters()).toMatchObject([{ stream: 'jar-a', revision: 1, error: expect.stringContaining('MalformedEvent') as string }]);
  });

  it('a stream of ours into which somebody else has written is refused by name: nobody can decide on it', async () => {
    await store.append(STREAM, 'none', events(1));
    write(STREAM, '{}', '{}');

    await expect(all(store.readStream(STREAM))).rejects.toThrow('jar-1: event 1 (Odd) has no metadata of this service');
  });
});
