import { StoreUnavailable, StreamDeleted } from '../../../src/kernel/event-store.js';
import { AppendTooLarge, MAX_APPEND_BYTES, splitIntoChunks } from '../../../src/stores/eventstoredb/append-size.js';
import { catchConflict, collect, createEvent, createEvents, pickIds } from '../../contracts/events.js';
import {
  createAccessDeniedError,
  createNotFoundError,
  createTimeoutError,
  createUnauthenticatedError,
  createUnavailableError,
} from '../../support/eventstoredb/messages.js';
import type { ServerAppendFault } from '../../support/eventstoredb/server.js';
import { setUpServerFixture } from '../../support/eventstoredb/server-fixture.js';

const STREAM = 'jar-1';
const DEADLINE_MS = 2_000;
const silence = new Promise<never>(() => undefined);

describe('An append to EventStoreDB', () => {
  const cluster = setUpServerFixture();

  it('is a separate call, although the server offers batches', async () => {
    await cluster.current.openStore().append(STREAM, 'none', createEvents(1));

    expect(cluster.current.server.calls).toEqual([{ method: 'append', requiresLeader: true }]);
  });

  it('reports the actual revision in the message of a conflict', async () => {
    const store = cluster.current.openStore();
    await store.append(STREAM, 'none', createEvents(2));

    expect((await catchConflict(store.append(STREAM, 0, createEvents(1)))).message).toBe(
      'jar-1: expected revision 0, found 1',
    );
    expect((await catchConflict(store.append('jar-2', 0, createEvents(1)))).message).toBe(
      'jar-2: expected revision 0, found none',
    );
  });

  const written: readonly [string, ServerAppendFault][] = [
    ['a lost response', (write) => (write(), fail(createUnavailableError()))],
    ['a timeout of the server', (write) => (write(), fail(createTimeoutError()))],
    ['a missing response', (write) => (write(), silence)],
  ];

  it.each(written)(
    'may have been written after %s, and its repetition returns the outcome of the first',
    async (_, fault) => {
      const store = cluster.current.openStore({ deadlineMs: DEADLINE_MS });
      const given = createEvents(3);
      cluster.current.server.appendFaults.push(fault);

      expect(await failed(store.append(STREAM, 'none', given))).toMatchObject({ maybeWritten: true });
      const { revision, position } = await store.append(STREAM, 'none', given);

      const recorded = await collect(store.readStream(STREAM));
      expect(pickIds(recorded)).toEqual(pickIds(given));
      expect(recorded.at(-1)).toMatchObject({ revision, position });
    },
  );

  it('may have been written when the connection is lost during the call', async () => {
    const store = cluster.current.openStore();
    const given = createEvents(2);
    cluster.current.server.appendFaults.push((write) => (write(), cluster.current.proxy.resetConnections(), silence));

    expect(await failed(store.append(STREAM, 'none', given))).toMatchObject({ maybeWritten: true });
    expect(await store.append(STREAM, 'none', given)).toMatchObject({ revision: 1 });
    expect(await collect(store.readStream(STREAM))).toHaveLength(2);
  });

  it('returns the outcome of the first when a server without its position gets the repetition', async () => {
    const store = cluster.current.openStore();
    const given = createEvents(2);
    const first = await store.append(STREAM, 'none', given);
    cluster.current.server.appendFaults.push(async (write) => ({ ...(await write()), last: null }));

    expect(await store.append(STREAM, 'none', given)).toEqual(first);
  });

  it('was not written when no server listens', async () => {
    const store = cluster.current.openStore({ connection: cluster.current.server.connection });
    await cluster.current.restart(async () => {
      expect(await failed(store.append(STREAM, 'none', createEvents(1)))).toMatchObject({ maybeWritten: false });
    });

    expect(await store.append(STREAM, 'none', createEvents(1))).toMatchObject({ revision: 0 });
  });

  it('does not affect concurrent appends when it fails', async () => {
    const [one, other] = [cluster.current.openStore(), cluster.current.openStore()];
    const { promise: later, resolve: answer } = Promise.withResolvers<void>();
    cluster.current.server.appendFaults.push(async (write) => (await later, write()));
    const slow = other.append('jar-2', 'none', createEvents(1));
    await waitUntil(() => cluster.current.server.appendFaults.length === 0);
    cluster.current.server.appendFaults.push(() => fail(createUnavailableError()));

    await failed(one.append(STREAM, 'none', createEvents(1)));
    answer();
    expect(await slow).toMatchObject({ revision: 0 });
  });

  it('continues, like later ones, when another call of the same client fails', async () => {
    const store = cluster.current.openStore();
    const { promise: later, resolve: answer } = Promise.withResolvers<void>();
    cluster.current.server.appendFaults.push(async (write) => (await later, write()));
    const slow = store.append('jar-2', 'none', createEvents(1));
    await waitUntil(() => cluster.current.server.appendFaults.length === 0);
    cluster.current.server.appendFaults.push(() => fail(createUnavailableError()));

    await failed(store.append(STREAM, 'none', createEvents(1)));
    expect(await store.append(STREAM, 'none', createEvents(1))).toMatchObject({ revision: 0 });
    answer();
    expect(await slow).toMatchObject({ revision: 0 });
  });

  it.each([
    ['a missing permission', createAccessDeniedError, 'EventStoreDB: access denied: the user may not write to jar-1'],
    [
      'unknown credentials',
      createUnauthenticatedError,
      'EventStoreDB: access denied: unknown user and password, or certificate',
    ],
    ['an unknown service', createNotFoundError, 'EventStoreDB: 5 NOT_FOUND: nothing there'],
  ])('was not written when the server reports %s, and needs an operator', async (_, refusal, message) => {
    cluster.current.server.appendFaults.push(() => fail(refusal()));
    const store = cluster.current.openStore();

    expect(await failed(store.append(STREAM, 'none', createEvents(1)))).toMatchObject({ message, maybeWritten: false });
    expect(await store.append(STREAM, 'none', createEvents(1))).toMatchObject({ revision: 0 });
  });

  it('fails on a permanently deleted stream', async () => {
    cluster.current.server.log.tombstone(STREAM);

    await expect(cluster.current.openStore().append(STREAM, 'none', createEvents(1))).rejects.toEqual(
      new StreamDeleted(STREAM),
    );
  });

  it('goes to the leader when the connection string names a follower', async () => {
    const leader = cluster.current.server;
    const follower = await cluster.current.startFollower();

    const store = cluster.current.openStore({ connection: follower.connection });
    await store.append(STREAM, 'none', createEvents(1));
    expect(leader.calls).toEqual([{ method: 'append', requiresLeader: true }]);
  });
});

describe('A large append to EventStoreDB', () => {
  const cluster = setUpServerFixture();
  const large = () => createEvent({ text: 'x'.repeat(MAX_APPEND_BYTES / 4) });

  it('is refused with its size before it is sent', async () => {
    const append = cluster.current.openStore().append(STREAM, 'none', [large(), large(), large(), large()]);

    await expect(append).rejects.toThrow(AppendTooLarge);
    await expect(append).rejects.toThrow(
      /^jar-1: an append of 4 events has 104\d{4} bytes; the store takes 1048576 at once$/,
    );
    expect(cluster.current.server.calls).toEqual([]);
  });

  it('can be split into chunks that each fit', async () => {
    const store = cluster.current.openStore();
    const given = [large(), large(), createEvent(), large(), large(), large(), large(), createEvent()];

    let revision = -1;
    const sizes: number[] = [];
    for (const chunk of splitIntoChunks(given)) {
      sizes.push(chunk.length);
      ({ revision } = await store.append(STREAM, revision < 0 ? 'none' : revision, chunk));
    }

    expect(sizes).toEqual([4, 4]);
    expect(pickIds(await collect(store.readStream(STREAM)))).toEqual(pickIds(given));
  });
});

function fail(refusal: Error): never {
  throw refusal;
}

async function failed(append: Promise<unknown>): Promise<StoreUnavailable> {
  const error: unknown = await append.then(
    () => new Error('the append was taken'),
    (reason: unknown) => reason,
  );
  if (error instanceof StoreUnavailable) return error;
  throw error;
}

async function waitUntil(met: () => boolean): Promise<void> {
  while (!met()) await new Promise(setImmediate);
}
