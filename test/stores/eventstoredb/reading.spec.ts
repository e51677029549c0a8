import { type EventStore, StoreUnavailable, StreamDeleted } from '../../../src/kernel/event-store.js';
import { START } from '../../../src/kernel/position.js';
import { toLogPosition, toPosition } from '../../../src/stores/eventstoredb/positions.js';
import { collect, createEvent, createEvents, flattenPages, pickIds, readFollowed } from '../../contracts/events.js';
import { createUnavailableError } from '../../support/eventstoredb/messages.js';
import { setUpServerFixture } from '../../support/eventstoredb/server-fixture.js';

const STREAM = 'jar-1';
const DEADLINE_MS = 2_000;

describe('A position in EventStoreDB', () => {
  it('sorts as text in the order of the log, by commit and then by prepare', () => {
    const places = [
      { commit: 9n, prepare: 8n },
      { commit: 9n, prepare: 9n },
      { commit: 10n, prepare: 9n },
      { commit: 2n ** 63n - 1n, prepare: 10n },
    ];

    expect(places.map(toPosition).toSorted()).toEqual(places.map(toPosition));
    expect(places.map(toPosition).map(toLogPosition)).toEqual(places);
    expect(toPosition(places[0]!) > START).toBe(true);
  });

  it('is refused when it belongs to another kind of store', () => {
    expect(() => toLogPosition('0000000000000012')).toThrow('is not a position of an EventStoreDB log');
  });
});

describe('A read of EventStoreDB', () => {
  const cluster = setUpServerFixture();
  let store: EventStore;
  beforeEach(() => {
    store = cluster.current.openStore();
  });

  it('returns only JSON values', async () => {
    await store.append(STREAM, 'none', createEvents(2));

    const page = await store.readAll({ limit: 10 });
    expect(JSON.parse(JSON.stringify(page))).toEqual(page);
  });

  it('asks the leader for a stream', async () => {
    await store.append(STREAM, 'none', createEvents(1));
    const follower = await cluster.current.startFollower();

    expect(
      await collect(cluster.current.openStore({ connection: follower.connection }).readStream(STREAM)),
    ).toHaveLength(1);
    expect(cluster.current.server.calls.at(-1)).toEqual({ method: 'stream', requiresLeader: true });
  });

  it('asks the leader for the log, and for its end', async () => {
    const { position } = await store.append(STREAM, 'none', createEvents(1));
    const follower = await cluster.current.startFollower();
    const there = cluster.current.openStore({ connection: follower.connection });

    expect((await there.readAll({ limit: 10 })).events).toHaveLength(1);
    expect(await there.readHead()).toBe(position);
    const reads = cluster.current.server.calls.filter(({ method }) => method === 'all');
    expect(reads).toEqual(Array(2).fill({ method: 'all', requiresLeader: true }));
  });

  it('distinguishes a permanently deleted stream from a missing one', async () => {
    await store.append(STREAM, 'none', createEvents(1));
    cluster.current.server.log.tombstone(STREAM);

    await expect(collect(store.readStream(STREAM))).rejects.toEqual(new StreamDeleted(STREAM));
    expect(await collect(store.readStream('jar-2'))).toEqual([]);
  });

  it('omits system events, and finds the head without them', async () => {
    const { log } = cluster.current.server;
    log.appendSystemEvent();
    expect(await store.readHead()).toBe(START);

    const { position } = await store.append(STREAM, 'none', createEvents(2));
    for (let i = 0; i < 1_100; i++) log.appendSystemEvent(i % 2 === 0 ? '$stats-1' : 'links-1', '$>');

    expect(await store.readHead()).toBe(position);
    expect((await store.readAll({ limit: 10 })).events).toHaveLength(2);
    expect((await store.readAll({ limit: 1, backwards: true })).events).toMatchObject([{ position }]);
    expect(flattenPages(await readFollowed(store, { after: START }, 2))).toHaveLength(2);
  });

  it('scans a bounded part of the log for one page, and returns the position it has reached', async () => {
    const { log } = cluster.current.server;
    const metadata = JSON.stringify(createEvent().meta);
    for (let i = 0; i < 11_500; i++) log.appendText('box-1', 'CoinsAdded', '{}', metadata);
    const { position } = await store.append(STREAM, 'none', createEvents(1));
    const filter = { prefixes: ['jar-'] };

    const first = await store.readAll({ filter, limit: 5 });
    expect(first).toEqual({ events: [], next: positionOfEvent(9_999), caughtUp: false });
    const second = await store.readAll({ filter, limit: 5, after: first.next });
    expect(second).toMatchObject({ events: [{ position }], next: position, caughtUp: true });

    function positionOfEvent(index: number): string {
      const { commit, prepare } = log.all[index]!;
      return toPosition({ commit: BigInt(commit), prepare: BigInt(prepare) });
    }
  });

  it('stays within its two bounds', async () => {
    await store.append(STREAM, 'none', createEvents(6));
    const positions = (await store.readAll({ limit: 10 })).events.map(({ position }) => position);
    const [after, before] = [positions[1]!, positions[4]!];

    for (const backwards of [false, true]) {
      const page = await store.readAll({ after, before, backwards, limit: 10 });
      expect(page.events.map(({ revision }) => revision).toSorted()).toEqual([2, 3]);
      expect(page.caughtUp).toBe(true);
    }
  });

  it('fails when the server fails, and succeeds the next time', async () => {
    await store.append(STREAM, 'none', createEvents(3));
    cluster.current.server.readFaults.push((call) => call.emit('error', createUnavailableError()));

    await expect(collect(store.readStream(STREAM))).rejects.toThrow(StoreUnavailable);
    expect(pickIds(await collect(store.readStream(STREAM)))).toHaveLength(3);
  });

  it('fails at the deadline of a call, although the client would wait forever', async () => {
    const hasty = cluster.current.openStore({ deadlineMs: DEADLINE_MS });
    await hasty.append(STREAM, 'none', createEvents(3));
    cluster.current.server.readFaults.push(() => true);

    await expect(collect(hasty.readStream(STREAM))).rejects.toThrow(
      `EventStoreDB: no response within ${DEADLINE_MS} ms`,
    );
    expect(await collect(hasty.readStream(STREAM))).toHaveLength(3);
  });
});
