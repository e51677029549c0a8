import { setTimeout as delay } from 'node:timers/promises';
import type { EventPage, EventStore } from '../../../src/kernel/event-store.js';
import { START } from '../../../src/kernel/position.js';
import { openEventStoreDb } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { createEvents, flattenPages, pickIds, readFollowed } from '../../contracts/events.js';
import { ManualClock, waitUntilIdle } from '../../support/clock.js';
import {
  createAccessDeniedError,
  createConfirmation,
  createUnavailableError,
  toCheckpoint,
} from '../../support/eventstoredb/messages.js';
import { retryWhileUnavailable, setUpServerFixture } from '../../support/eventstoredb/server-fixture.js';

const STREAM = 'jar-1';
const PREFIXES = { prefixes: ['jar-'] };
const DEADLINE_MS = 2_000;

describe('A follower of EventStoreDB', () => {
  const cluster = setUpServerFixture();
  let store: EventStore;
  beforeEach(() => {
    store = cluster.current.openStore();
  });

  it('continues after its last event when its connection is lost', async () => {
    const given = createEvents(6);
    await store.append(STREAM, 'none', given.slice(0, 2));
    const cut = async () => {
      cluster.current.proxy.resetConnections();
      await retryWhileUnavailable(() => store.append(STREAM, 1, given.slice(2)));
    };

    expect(pickIds(flattenPages(await readFollowed(store, { after: START }, 6, cut)))).toEqual(pickIds(given));
  });

  it('continues after an outage of the server', async () => {
    const given = createEvents(6);
    await store.append(STREAM, 'none', given.slice(0, 2));
    const away = async () => {
      await cluster.current.restart(async () => undefined);
      await retryWhileUnavailable(() => store.append(STREAM, 1, given.slice(2)));
    };

    expect(pickIds(flattenPages(await readFollowed(store, { after: START }, 6, away)))).toEqual(pickIds(given));
  });

  it('subscribes again after every failure, and waits longer each time', async () => {
    const clock = new RecordingClock();
    await store.append(STREAM, 'none', createEvents(1));
    for (let i = 0; i < 10; i++)
      cluster.current.server.readFaults.push((call) => call.emit('error', createUnavailableError()));

    const seen = await readFollowed(cluster.current.openStore({ clock }), { after: START }, 1);

    expect(flattenPages(seen)).toHaveLength(1);
    const waits = clock.slept.slice(0, 10);
    waits.forEach((ms, i) => expect(ms).toBeLessThanOrEqual(20 * 2 ** i));
    expect(Math.min(...waits.slice(8))).toBeGreaterThan(Math.max(...waits.slice(0, 7)));
  });

  it('ends without permission to read the log, and names the missing permission', async () => {
    cluster.current.server.readFaults.push((call) => call.emit('error', createAccessDeniedError()));

    await expect(readFollowed(store, { after: START }, 1)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringMatching(
        /^EventStoreDB: access denied: the user may not read \$all: make it an administrator, or /,
      ) as string,
    });
  });

  it('reports the end of an empty log once', async () => {
    const pages = store.follow({ after: START }, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();

    expect((await pages.next()).value).toEqual({ events: [], next: START, caughtUp: true });
    const second = pages.next();
    await store.append(STREAM, 'none', createEvents(1));
    expect((await second).value).toMatchObject({ events: [{ revision: 0 }] });
  });

  it('refuses a position of another kind of store', async () => {
    await expect(readFollowed(store, { after: '0000000000000012' }, 1)).rejects.toThrow(
      'is not a position of an EventStoreDB log',
    );
  });

  it('never advances to a checkpoint that runs ahead of the events', async () => {
    const given = createEvents(40);
    await store.append(STREAM, 'none', given);
    const { server } = cluster.current;
    server.prematureCheckpoints = true;
    server.readFaults.push((call) => {
      call.write(createConfirmation());
      call.write(toCheckpoint(server.log.all.at(-1)!));
      setImmediate(() => cluster.current.proxy.resetConnections());
      return true;
    });

    const seen = await readFollowed(store, { after: START, filter: PREFIXES, pageSize: 7 }, 40);

    expect(pickIds(flattenPages(seen))).toEqual(pickIds(given));
    for (const page of seen) expect(page.next).toBe(page.events.at(-1)?.position ?? START);
  });

  it('reports the end of the log without advancing when no event matches its filter', async () => {
    await cluster.current.openStore().append('box-1', 'none', createEvents(100));

    for await (const page of store.follow({ after: START, filter: PREFIXES }, AbortSignal.timeout(10_000))) {
      expect(page).toEqual({ events: [], next: START, caughtUp: true });
      break;
    }
  });

  it('advances past many system events', async () => {
    for (let i = 0; i < 1_200; i++) cluster.current.server.log.appendSystemEvent();

    for await (const page of store.follow({ after: START }, AbortSignal.timeout(10_000))) {
      expect(page).toMatchObject({ events: [], caughtUp: false });
      expect(page.next > START).toBe(true);
      break;
    }
  });

  it('delays a page for more events until it is full', async () => {
    const clock = new ManualClock();
    const pages = cluster.current
      .openStore({ clock })
      .follow({ after: START, pageSize: 3, lingerMs: 60_000 }, AbortSignal.timeout(10_000));
    const taken = pages[Symbol.asyncIterator]();
    await taken.next();
    const first = taken.next();
    for (let revision = -1; revision < 2; revision++)
      await store.append(STREAM, revision < 0 ? 'none' : revision, createEvents(1));

    expect(((await first).value as EventPage).events).toHaveLength(3);
  });

  it('keeps the largest page size and the order when it is slower than the server', async () => {
    const given = createEvents(3_000);
    for (let i = 0; i < given.length; i += 1_000) await store.append(`jar-${i}`, 'none', given.slice(i, i + 1_000));

    const seen = await readFollowed(store, { after: START, pageSize: 10 }, given.length, waitUntilIdle);

    expect(pickIds(flattenPages(seen))).toEqual(pickIds(given));
    expect(seen.every((page) => page.events.length <= 10)).toBe(true);
    expect(seen.filter((page) => page.events.length === 10).length).toBeGreaterThan(seen.length / 2);
  });

  it('leaves a hanging connection as soon as another call detects it', async () => {
    const hasty = cluster.current.openStore({ deadlineMs: DEADLINE_MS });
    const given = createEvents(2);
    await hasty.append(STREAM, 'none', given.slice(0, 1));
    const hang = async () => {
      cluster.current.proxy.freeze();
      await expect(hasty.readHead()).rejects.toMatchObject({ name: 'StoreUnavailable' });
      await hasty.append(STREAM, 0, given.slice(1));
    };

    expect(pickIds(flattenPages(await readFollowed(hasty, { after: START }, 2, hang)))).toEqual(pickIds(given));
  });

  it('gets events at once from a server that never reports the end of the log', async () => {
    const clock = new RecordingClock();
    cluster.current.server.reportsEnd = false;
    const given = createEvents(3);
    await store.append(STREAM, 'none', given.slice(0, 1));
    const write = async () => {
      for (const [i, event] of given.slice(1).entries()) await store.append(STREAM, i, [event]);
    };

    const pages = await readFollowed(cluster.current.openStore({ clock }), { after: START }, 3, write);
    expect(pickIds(flattenPages(pages))).toEqual(pickIds(given));
    expect(Math.max(...clock.slept)).toBeLessThanOrEqual(20);
  });

  it('keeps its connection when one call gets no response while others do', async () => {
    const hasty = cluster.current.openStore({ deadlineMs: DEADLINE_MS });
    const { server } = cluster.current;
    const given = createEvents(30);
    const subscriptions = () => server.calls.filter(({ method }) => method === 'subscription').length;
    const beBusy = async () => {
      server.readFaults.push(() => true);
      const slow = hasty.readHead().catch((error: unknown) => error);
      let done = false;
      void slow.finally(() => (done = true));
      for (let i = 0; i < given.length - 1 && !done; i++) {
        await hasty.append(STREAM, i === 0 ? 'none' : i - 1, [given[i]!]);
        await Promise.race([slow, delay(DEADLINE_MS / 10)]);
      }
      expect(await slow).toMatchObject({ name: 'StoreUnavailable' });
      expect(subscriptions()).toBe(1);
    };

    await readFollowed(hasty, { after: START }, 10, beBusy);
    expect(subscriptions()).toBe(1);
  });

  it('ends when its store is closed, even while it waits', async () => {
    const opened = openEventStoreDb({ connection: cluster.current.connection });
    const pages = opened.events.follow({ after: START }, new AbortController().signal)[Symbol.asyncIterator]();
    await store.append(STREAM, 'none', createEvents(1));
    await pages.next();
    const waiting = pages.next();

    await opened.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});

/** Ends every sleep at once and records its duration. */
class RecordingClock extends ManualClock {
  readonly slept: number[] = [];

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    await super.sleep(Math.min(ms, 0), signal);
  }
}
