import { type EventPage, StoreUnavailable } from '../../../src/kernel/event-store.js';
import { START } from '../../../src/kernel/position.js';
import { createEvent, createEvents, flattenPages, pickIds } from '../../contracts/events.js';
import { createTimeoutError } from '../../support/eventstoredb/messages.js';
import type { ReadCall } from '../../support/eventstoredb/serve-reads.js';
import { retryWhileUnavailable } from '../../support/eventstoredb/server-fixture.js';
import { eachNodes, type NamingNode, waitUntil } from './named-nodes.js';

const STREAM = 'jar-1';
/** Soon over, and long enough for a response on a busy machine. */
const DEADLINE_MS = 2_000;

describe('A store of EventStoreDB whose nodes differ', () => {
  const test = eachNodes(2);
  let [current, stale]: [NamingNode, NamingNode] = [] as never;
  const ending = new Set<AbortController>();
  beforeEach(() => {
    [current, stale] = test.current.nodes as [NamingNode, NamingNode];
    test.current.nameLeader(current);
  });
  afterEach(() => {
    for (const end of ending) end.abort();
  });

  it('neither reads nor follows the log on a stale node', async () => {
    const store = test.current.store({ deadlineMs: DEADLINE_MS });
    await store.append(STREAM, 'none', createEvents(2));
    await replaceLeader(store);
    const pages = follow(store, START);
    const asked = stale.server.calls.length;

    await expect(store.readAll({ limit: 10 })).rejects.toBeInstanceOf(StoreUnavailable);
    await waitUntil(() => stale.server.calls.length > asked + 5);
    expect(pages).toEqual([]);
    expect(stale.server.calls.map(({ method }) => method)).not.toContain('subscription');
    expect(stale.log.all).toEqual([]);
  });

  it('does not follow a log that ends before the start position', async () => {
    const { position } = await test.current.store().append(STREAM, 'none', createEvents(20));
    test.current.nameLeader(stale);
    const pages = follow(test.current.store({ deadlineMs: DEADLINE_MS }), position);
    await waitUntil(() => stale.server.calls.filter(({ method }) => method === 'all').length > 2);

    expect(pages).toEqual([]);
    expect(stale.server.calls.map(({ method }) => method)).not.toContain('subscription');
  });

  it('leaves a node without acknowledgements before it follows the log from a checkpoint', async () => {
    const { position } = await test.current.store().append(STREAM, 'none', createEvents(2));
    test.current.nameLeader(stale);
    stale.append = () => {
      throw createTimeoutError();
    };
    const store = test.current.store({ deadlineMs: DEADLINE_MS });
    expect((await store.readAll({ limit: 10 })).events).toEqual([]);
    test.current.nameLeader(current);
    const pages = follow(store, position);
    const given = createEvents(1);
    await test.current.store().append(STREAM, 1, given);
    await waitUntil(() => flattenPages(pages).length > 0);

    expect(pickIds(flattenPages(pages))).toEqual(pickIds(given));
  });

  it('discards a read over a connection that was retired during the read', async () => {
    const store = test.current.store();
    let held: ReadCall | undefined;
    current.server.readFaults.push((call) => {
      held = call;
      return true;
    });
    const read = store.readAll({ limit: 10 }).catch((error: unknown) => error);
    await waitUntil(() => held !== undefined);
    current.server.appendFaults.push(() => {
      throw createTimeoutError();
    });
    await expect(store.append(STREAM, 'none', createEvents(1))).rejects.toMatchObject({ maybeWritten: true });
    held!.end();

    expect(await read).toBeInstanceOf(StoreUnavailable);
  });

  it('asks another node when a stale node reports a conflict with an earlier revision', async () => {
    const store = test.current.store();
    await store.append(STREAM, 'none', createEvents(3));
    await replaceLeader(store);
    stale.append = () => {
      test.current.nameLeader(current);
      return { wrong: 1 };
    };

    expect(await store.append(STREAM, 2, createEvents(1))).toMatchObject({ revision: 3 });
  });

  it('is unavailable while only a stale node reports a conflict with an earlier revision', async () => {
    const store = test.current.store({ deadlineMs: DEADLINE_MS });
    await store.append(STREAM, 'none', createEvents(3));
    await replaceLeader(store);

    await expect(store.append(STREAM, 2, createEvents(1))).rejects.toBeInstanceOf(StoreUnavailable);
    expect(stale.log.all).toEqual([]);
  });

  it('reports a conflict with an earlier revision when the node is not stale', async () => {
    const store = test.current.store();
    await store.append(STREAM, 'none', createEvents(3));

    await expect(store.append(STREAM, 5, createEvents(1))).rejects.toMatchObject({ name: 'Conflict', actual: 2 });
  });

  /** Makes the old leader unreachable and names the other node. */
  async function replaceLeader(store: ReturnType<typeof test.current.store>): Promise<void> {
    test.current.nameLeader(stale);
    current.server.appendFaults.push(() => {
      throw createTimeoutError();
    });
    await expect(store.append('jar-2', 'none', createEvents(1))).rejects.toBeInstanceOf(StoreUnavailable);
  }

  function follow(store: ReturnType<typeof test.current.store>, after: string): EventPage[] {
    const end = new AbortController();
    ending.add(end);
    const pages: EventPage[] = [];
    void (async () => {
      for await (const page of store.follow({ after }, end.signal)) pages.push(page);
    })().catch(() => undefined);
    return pages;
  }
});

describe('A confirmation on a cluster of EventStoreDB', () => {
  const test = eachNodes(2);

  it.each(['a repetition', 'a repetition after a conflict'])(
    'does not use %s of an append that may have been written before',
    async (how) => {
      const [node] = test.current.nodes as [NamingNode];
      test.current.nameLeader(node);
      const store = test.current.store();
      const given = createEvent();
      node.server.appendFaults.push((write) => {
        void write();
        throw createTimeoutError();
      });
      await expect(store.append(STREAM, 'none', [given])).rejects.toMatchObject({ maybeWritten: true });
      if (how !== 'a repetition') {
        node.server.appendFaults.push(() => ({ wrong: 3 }));
        await expect(store.append(STREAM, 'none', [given])).rejects.toMatchObject({ name: 'Conflict' });
      }
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      let isHeld = false;
      node.server.appendFaults.push(async (write) => {
        isHeld = true;
        await released;
        return write();
      });
      const first = store.confirmPosition();
      await waitUntil(() => isHeld);
      const second = store.confirmPosition();
      const { position } = await retryWhileUnavailable(() => store.append(STREAM, 'none', [given]));
      release();
      await first;

      expect((await second) > position).toBe(true);
    },
  );
});
