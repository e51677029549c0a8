import { Conflict, type EventPage, type EventStore, StoreUnavailable } from '../../../src/kernel/event-store.js';
import { START } from '../../../src/kernel/position.js';
import { type EventStoreDbStores, openEventStoreDb } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { collect, createEvent, createEvents, flattenPages, pickIds, readFollowed } from '../../contracts/events.js';
import { setUpCluster } from '../../support/eventstoredb/cluster/client.js';
import type { ClusterNode } from '../../support/eventstoredb/cluster/node.js';
import { QUICK_TIMES } from '../../support/eventstoredb/cluster/times.js';
import { NodeState } from '../../support/eventstoredb/messages.js';
import { retryWhileUnavailable } from '../../support/eventstoredb/server-fixture.js';

const STREAM = 'jar-1';
/** Long enough for a store to react, even on a busy machine. */
const TIMES = { ...QUICK_TIMES, silenceMs: 100, electionMs: 600, beliefMs: 2_000, resignMs: 5_000 };

describe('A store of EventStoreDB on a cluster that changes its leader', () => {
  const test = setUpCluster(TIMES);
  const opened: EventStoreDbStores[] = [];
  const store = (deadlineMs = 1_000): EventStore => {
    const stores = openEventStoreDb({ connection: test.cluster.connection, deadlineMs });
    opened.push(stores);
    return stores.events;
  };
  afterEach(() => Promise.all(opened.splice(0).map((stores) => stores.close())));

  it('reads all written events, and returns a head without barrier events', async () => {
    const given = createEvents(3);
    const { position } = await store().append(STREAM, 'none', given);
    const other = store();

    expect(pickIds(await collect(other.readStream(STREAM)))).toEqual(pickIds(given));
    expect(await other.readHead()).toBe(position);
    expect((await other.readAll({ limit: 10 })).events).toHaveLength(3);
    expect(flattenPages(await readFollowed(other, { after: START }, 3))).toHaveLength(3);
  });

  it('shares one barrier among concurrent callers', async () => {
    const one = store();
    await one.append(STREAM, 'none', createEvents(1));
    const before = countBarriers().length;
    await Promise.all(Array.from({ length: 50 }, (_, i) => collect(one.readStream(`jar-${i}`))));

    expect(countBarriers().length - before).toBeLessThanOrEqual(3);
  });

  it('confirms a position after all events that any process has written before', async () => {
    const [one, other] = [store(), store()];
    for (let revision = -1; revision < 3; revision++) {
      const { position } = await one.append(STREAM, revision < 0 ? 'none' : revision, createEvents(1));
      expect((await other.confirmPosition()) > position).toBe(true);
    }
  });

  describe('after a leader was paused and deposed', () => {
    let [first, mine]: [ClusterNode, EventStore] = [] as never;
    const appended = createEvents(2);
    beforeEach(async () => {
      first = await test.cluster.waitForLeader();
      mine = store();
      await mine.append(STREAM, 'none', [appended[0]!]);
      expect(await collect(mine.readStream(STREAM))).toHaveLength(1);
      test.cluster.pause(first);
      await test.cluster.waitForLeader(first);
      await retryWhileUnavailable(() => store().append(STREAM, 0, [appended[1]!]));
      await retryWhileUnavailable(() => store().append('jar-2', 'none', createEvents(1)));
      await test.cluster.continue(first);
    });

    it('never reads an outdated stream', async () => {
      for (let looks = 0; looks < 20; looks++) {
        const read = await readOrUnavailable(() => collect(mine.readStream(STREAM)));
        if (read !== null) expect(pickIds(read)).toEqual(pickIds(appended));
      }
    });

    it('never treats a newly created stream as missing', async () => {
      expect(await retryWhileUnavailable(() => collect(mine.readStream('jar-2')))).toHaveLength(1);
    });

    it('returns a head that includes newly acknowledged events', async () => {
      const head = await retryWhileUnavailable(() => mine.readHead());
      const { position } = (await retryWhileUnavailable(() => collect(mine.readStream('jar-2'))))[0]!;

      expect(head >= position).toBe(true);
    });

    it('does not follow the log on a node before the start position, even if all nodes name it', async () => {
      const after = (await retryWhileUnavailable(() => collect(store().readStream('jar-2'))))[0]!.position;
      const { nodes } = test.cluster;
      for (const node of nodes)
        node.gossipOverride = () => [{ port: first.port, state: NodeState.LEADER, isAlive: true }];
      const end = new AbortController();
      const pages: EventPage[] = [];
      const following = (async () => {
        for await (const page of store(300).follow({ after }, end.signal)) pages.push(page);
      })();
      await test.cluster.waitUntil(() => first.role !== 'leader');
      expect(pages).toEqual([]);

      for (const node of nodes) node.gossipOverride = null;
      const given = createEvents(1);
      await retryWhileUnavailable(() => store().append('jar-3', 'none', given));
      await test.cluster.waitUntil(() => flattenPages(pages).length > 0);
      end.abort();
      await following;
      expect(pickIds(flattenPages(pages))).toEqual(pickIds(given));
    }, 15_000);
  });

  it('leaves a silent leader after another one is elected, long before the deadline of its calls', async () => {
    const first = await test.cluster.waitForLeader();
    const mine = store(60_000);
    await mine.append(STREAM, 'none', createEvents(1));
    test.cluster.pause(first);
    const [append, read] = [mine.append(STREAM, 0, createEvents(1)), collect(mine.readStream(STREAM))];

    await expect(append).rejects.toMatchObject({ maybeWritten: true });
    await expect(read).rejects.toBeInstanceOf(StoreUnavailable);
    const given = createEvents(1);
    expect((await retryWhileUnavailable(() => mine.append(STREAM, 0, given))).revision).toBe(1);
  }, 15_000);

  it('ends every call to a replaced leader long before its deadline, even one that began later than the first', async () => {
    const first = await test.cluster.waitForLeader();
    const mine = store(60_000);
    await mine.append(STREAM, 'none', createEvents(1));
    test.cluster.pause(first);
    const early = mine.append('jar-2', 'none', createEvents(1)).catch((error: unknown) => error);
    await test.cluster.waitForLeader(first);
    const late = mine.append('jar-3', 'none', createEvents(1)).catch((error: unknown) => error);

    expect(await early).toMatchObject({ name: 'StoreUnavailable', maybeWritten: true });
    expect(await late).toBeDefined();
  }, 15_000);

  it('reports a conflict with an unconfirmed event as unavailable until the outcome is known', async () => {
    const leader = await test.cluster.waitForLeader();
    const mine = store();
    await mine.append(STREAM, 'none', createEvents(1));
    const followers = test.cluster.nodes.filter((node) => node !== leader);
    for (const node of followers) test.cluster.pause(node);
    const pending = createEvent();
    await expect(mine.append(STREAM, 0, [pending])).rejects.toMatchObject({ maybeWritten: true });

    const another = await mine.append(STREAM, 0, createEvents(1)).catch((error: unknown) => error);
    if (another instanceof Conflict) expect(another.actual).toBe(1);
    await expect(collect(mine.readStream(STREAM))).rejects.toBeInstanceOf(StoreUnavailable);
    for (const node of followers) await test.cluster.continue(node);
    expect((await retryWhileUnavailable(() => mine.append(STREAM, 0, [pending]))).revision).toBe(1);
  });

  function countBarriers() {
    return test.cluster.committed.all.filter(({ stream }) => stream.startsWith('logBarrier-'));
  }
});

async function readOrUnavailable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}
