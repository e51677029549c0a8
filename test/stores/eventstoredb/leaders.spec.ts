import { Conflict, StoreUnavailable, type EventStore, type Page } from '../../../src/kernel/event-store.js';
import { START } from '../../../src/kernel/position.js';
import { openEventStoreDb, type EventStoreDbStores } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { all, event, events, eventsOf, followed, ids } from '../../contracts/events.js';
import { NodeState } from '../../support/eventstoredb/messages.js';
import { patiently } from '../../support/eventstoredb/house.js';
import { eachCluster } from '../../support/eventstoredb/cluster/client.js';
import type { ClusterNode } from '../../support/eventstoredb/cluster/node.js';
import { QUICK_TIMES } from '../../support/eventstoredb/cluster/times.js';

const STREAM = 'jar-1';
/** Long enough for a store to react, even on a busy machine. */
const TIMES = { ...QUICK_TIMES, silenceMs: 100, electionMs: 600, beliefMs: 2_000, resignMs: 5_000 };

describe('A store of EventStoreDB on a cluster that changes its leader', () => {
  const test = eachCluster(TIMES);
  const opened: EventStoreDbStores[] = [];
  const store = (deadlineMs = 1_000): EventStore => {
    const stores = openEventStoreDb({ connection: test.cluster.connection, deadlineMs });
    opened.push(stores);
    return stores.events;
  };
  afterEach(() => Promise.all(opened.splice(0).map((stores) => stores.close())));

  it('reads all written events, and returns a head without barrier events', async () => {
    const given = events(3);
    const { position } = await store().append(STREAM, 'none', given);
    const other = store();

    expect(ids(await all(other.readStream(STREAM)))).toEqual(ids(given));
    expect(await other.head()).toBe(position);
    expect((await other.readAll({ limit: 10 })).events).toHaveLength(3);
    expect(eventsOf(await followed(other, { after: START }, 3))).toHaveLength(3);
  });

  it('shares one barrier among concurrent callers', async () => {
    const one = store();
    await one.append(STREAM, 'none', events(1));
    const before = barriers().length;
    await Promise.all(Array.from({ length: 50 }, (_, i) => all(one.readStream(`jar-${i}`))));

    expect(barriers().length - before).toBeLessThanOrEqual(3);
  });

  it('confirms a position after all events that any process has written before', async () => {
    const [one, other] = [store(), store()];
    for (let revision = -1; revision < 3; revision++) {
      const { position } = await one.append(STREAM, revision < 0 ? 'none' : revision, events(1));
      expect((await other.confirmed()) > position).toBe(true);
    }
  });

  describe('after a leader was paused and deposed', () => {
    let [first, mine]: [ClusterNode, EventStore] = [] as never;
    const told = events(2);
    beforeEach(async () => {
      first = await test.cluster.led();
      mine = store();
      await mine.append(STREAM, 'none', [told[0]!]);
      expect(await all(mine.readStream(STREAM))).toHaveLength(1);
      test.cluster.pause(first);
      await test.cluster.led(first);
      await patiently(() => store().append(STREAM, 0, [told[1]!]));
      await patiently(() => store().append('jar-2', 'none', events(1)));
      await test.cluster.continue(first);
    });

    it('never reads an outdated stream', async () => {
      for (let looks = 0; looks < 20; looks++) {
        const read = await readOrUnavailable(() => all(mine.readStream(STREAM)));
        if (read !== null) expect(ids(read)).toEqual(ids(told));
      }
    });

    it('never treats a newly created stream as missing', async () => {
      expect(await patiently(() => all(mine.readStream('jar-2')))).toHaveLength(1);
    });

    it('returns a head that includes newly acknowledged events', async () => {
      const head = await patiently(() => mine.head());
      const { position } = (await patiently(() => all(mine.readStream('jar-2'))))[0]!;

      expect(head >= position).toBe(true);
    });

    it('does not follow the log on a node before the start position, even if all nodes name it', async () => {
      const after = (await patiently(() => all(store().readStream('jar-2'))))[0]!.position;
      const { nodes } = test.cluster;
      for (const node of nodes) node.gossipOverride = () => [{ port: first.port, state: NodeState.LEADER, isAlive: true }];
      const end = new AbortController();
      const pages: Page[] = [];
      const following = (async () => {
        for await (const page of store(300).follow({ after }, end.signal)) pages.push(page);
      })();
      await test.cluster.until(() => first.role !== 'leader');
      expect(pages).toEqual([]);

      for (const node of nodes) node.gossipOverride = null;
      const given = events(1);
      await patiently(() => store().append('jar-3', 'none', given));
      await test.cluster.until(() => eventsOf(pages).length > 0);
      end.abort();
      await following;
      expect(ids(eventsOf(pages))).toEqual(ids(given));
    }, 15_000);
  });

  it('leaves a silent leader after another one is elected, long before the deadline of its calls', async () => {
    const first = await test.cluster.led();
    const mine = store(60_000);
    await mine.append(STREAM, 'none', events(1));
    test.cluster.pause(first);
    const [append, read] = [mine.append(STREAM, 0, events(1)), all(mine.readStream(STREAM))];

    await expect(append).rejects.toMatchObject({ maybeWritten: true });
    await expect(read).rejects.toBeInstanceOf(StoreUnavailable);
    const given = events(1);
    expect((await patiently(() => mine.append(STREAM, 0, given))).revision).toBe(1);
  }, 15_000);

  it('ends every call to a replaced leader long before its deadline, even one that began later than the first', async () => {
    const first = await test.cluster.led();
    const mine = store(60_000);
    await mine.append(STREAM, 'none', events(1));
    test.cluster.pause(first);
    const early = mine.append('jar-2', 'none', events(1)).catch((error: unknown) => error);
    await test.cluster.led(first);
    const late = mine.append('jar-3', 'none', events(1)).catch((error: unknown) => error);

    expect(await early).toMatchObject({ name: 'StoreUnavailable', maybeWritten: true });
    expect(await late).toBeDefined();
  }, 15_000);

  it('reports a conflict with an unconfirmed event as unavailable until the outcome is known', async () => {
    const leader = await test.cluster.led();
    const mine = store();
    await mine.append(STREAM, 'none', events(1));
    const followers = test.cluster.nodes.filter((node) => node !== leader);
    for (const node of followers) test.cluster.pause(node);
    const pending = event();
    await expect(mine.append(STREAM, 0, [pending])).rejects.toMatchObject({ maybeWritten: true });

    const another = await mine.append(STREAM, 0, events(1)).catch((error: unknown) => error);
    if (another instanceof Conflict) expect(another.actual).toBe(1);
    await expect(all(mine.readStream(STREAM))).rejects.toBeInstanceOf(StoreUnavailable);
    for (const node of followers) await test.cluster.continue(node);
    expect((await patiently(() => mine.append(STREAM, 0, [pending]))).revision).toBe(1);
  });

  function barriers() {
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
