import { StoreUnavailable, StreamDeleted } from '../../../src/kernel/event-store.js';
import { AppendTooLarge, inChunks, MAX_APPEND_BYTES } from '../../../src/stores/eventstoredb/append-size.js';
import { all, event, events, ids, refused } from '../../contracts/events.js';
import { eachHouse } from '../../support/eventstoredb/house.js';
import { accessDenied, notFound, timeout, unauthenticated, unavailable } from '../../support/eventstoredb/messages.js';
import type { AppendFault } from '../../support/eventstoredb/server.js';

const STREAM = 'jar-1';
const DEADLINE_MS = 200;
const silence = new Promise<never>(() => undefined);

describe('An append to EventStoreDB', () => {
  const house = eachHouse();

  it('is a separate call, although the server offers batches', async () => {
    await house.current.store().append(STREAM, 'none', events(1));

    expect(house.current.server.asked).toEqual([{ method: 'append', requiresLeader: true }]);
  });

  it('reports the actual revision in the message of a conflict', async () => {
    const store = house.current.store();
    await store.append(STREAM, 'none', events(2));

    expect((await refused(store.append(STREAM, 0, events(1)))).message).toBe('jar-1: expected revision 0, found 1');
    expect((await refused(store.append('jar-2', 0, events(1)))).message).toBe('jar-2: expected revision 0, found none');
  });

  const written: readonly [string, AppendFault][] = [
    ['a lost response', (write) => (write(), fail(unavailable()))],
    ['a timeout of the server', (write) => (write(), fail(timeout()))],
    ['a missing response', (write) => (write(), silence)],
  ];

  it.each(written)('may have been written after %s, and its repetition returns the outcome of the first', async (_, fault) => {
    const store = house.current.store({ deadlineMs: DEADLINE_MS });
    const given = events(3);
    house.current.server.appendFaults.push(fault);

    expect(await failed(store.append(STREAM, 'none', given))).toMatchObject({ maybeWritten: true });
    const { revision, position } = await store.append(STREAM, 'none', given);

    const recorded = await all(store.readStream(STREAM));
    expect(ids(recorded)).toEqual(ids(given));
    expect(recorded.at(-1)).toMatchObject({ revision, position });
  });

  it('may have been written when the connection is lost during the call', async () => {
    const store = house.current.store();
    const given = events(2);
    house.current.server.appendFaults.push((write) => (write(), house.current.relay.cut(), silence));

    expect(await failed(store.append(STREAM, 'none', given))).toMatchObject({ maybeWritten: true });
    expect(await store.append(STREAM, 'none', given)).toMatchObject({ revision: 1 });
    expect(await all(store.readStream(STREAM))).toHaveLength(2);
  });

  it('returns the outcome of the first when a server without its position gets the repetition', async () => {
    const store = house.current.store();
    const given = events(2);
    const first = await store.append(STREAM, 'none', given);
    house.current.server.appendFaults.push(async (write) => ({ ...(await write()), last: null }));

    expect(await store.append(STREAM, 'none', given)).toEqual(first);
  });

  it('was not written when no server listens', async () => {
    const store = house.current.store({ connection: house.current.server.connection });
    await house.current.restart(async () => {
      expect(await failed(store.append(STREAM, 'none', events(1)))).toMatchObject({ maybeWritten: false });
    });

    expect(await store.append(STREAM, 'none', events(1))).toMatchObject({ revision: 0 });
  });

  it('does not affect concurrent appends when it fails', async () => {
    const [one, other] = [house.current.store(), house.current.store()];
    const { promise: later, resolve: answer } = Promise.withResolvers<void>();
    house.current.server.appendFaults.push(async (write) => (await later, write()));
    const slow = other.append('jar-2', 'none', events(1));
    await waitUntil(() => house.current.server.appendFaults.length === 0);
    house.current.server.appendFaults.push(() => fail(unavailable()));

    await failed(one.append(STREAM, 'none', events(1)));
    answer();
    expect(await slow).toMatchObject({ revision: 0 });
  });

  it('continues, like later ones, when another call of the same client fails', async () => {
    const store = house.current.store();
    const { promise: later, resolve: answer } = Promise.withResolvers<void>();
    house.current.server.appendFaults.push(async (write) => (await later, write()));
    const slow = store.append('jar-2', 'none', events(1));
    await waitUntil(() => house.current.server.appendFaults.length === 0);
    house.current.server.appendFaults.push(() => fail(unavailable()));

    await failed(store.append(STREAM, 'none', events(1)));
    expect(await store.append(STREAM, 'none', events(1))).toMatchObject({ revision: 0 });
    answer();
    expect(await slow).toMatchObject({ revision: 0 });
  });

  it.each([
    ['a missing permission', accessDenied, 'EventStoreDB: access denied: the user may not write to jar-1'],
    ['unknown credentials', unauthenticated, 'EventStoreDB: access denied: unknown user and password, or certificate'],
    ['an unknown service', notFound, 'EventStoreDB: 5 NOT_FOUND: nothing there'],
  ])('was not written when the server reports %s, and needs an operator', async (_, refusal, message) => {
    house.current.server.appendFaults.push(() => fail(refusal()));
    const store = house.current.store();

    expect(await failed(store.append(STREAM, 'none', events(1)))).toMatchObject({ message, maybeWritten: false });
    expect(await store.append(STREAM, 'none', events(1))).toMatchObject({ revision: 0 });
  });

  it('fails on a permanently deleted stream', async () => {
    house.current.server.log.tombstone(STREAM);

    await expect(house.current.store().append(STREAM, 'none', events(1))).rejects.toEqual(new StreamDeleted(STREAM));
  });

  it('goes to the leader when the connection string names a follower', async () => {
    const leader = house.current.server;
    const follower = await house.current.follower();

    const store = house.current.store({ connection: follower.connection });
    await store.append(STREAM, 'none', events(1));
    expect(leader.asked).toEqual([{ method: 'append', requiresLeader: true }]);
  });
});

describe('A large append to EventStoreDB', () => {
  const house = eachHouse();
  const large = () => event({ text: 'x'.repeat(MAX_APPEND_BYTES / 4) });

  it('is refused with its size before it is sent', async () => {
    const append = house.current.store().append(STREAM, 'none', [large(), large(), large(), large()]);

    await expect(append).rejects.toThrow(AppendTooLarge);
    await expect(append).rejects.toThrow(/^jar-1: an append of 4 events has 104\d{4} bytes; the store takes 1048576 at once$/);
    expect(house.current.server.asked).toEqual([]);
  });

  it('can be split into chunks that each fit', async () => {
    const store = house.current.store();
    const given = [large(), large(), event(), large(), large(), large(), large(), event()];

    let revision = -1;
    const sizes: number[] = [];
    for (const chunk of inChunks(given)) {
      sizes.push(chunk.length);
      ({ revision } = await store.append(STREAM, revision < 0 ? 'none' : revision, chunk));
    }

    expect(sizes).toEqual([4, 4]);
    expect(ids(await all(store.readStream(STREAM)))).toEqual(ids(given));
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
