import { Projector } from '../../../src/engine/projections/projector.js';
import { SystemClock } from '../../../src/kernel/clock.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { type MongoStores, openMongo } from '../../../src/stores/mongodb/mongodb.js';
import { at } from '../../contracts/documents.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { IsolatedPrimary } from '../../support/mongo-java/isolated-primary.js';
import { IS_LIVE, onMongo } from './server.js';

const DUE = '2026-02-01T09:00:00.000Z';
const KEY = { scope: 'biz_1', key: 'k' };
const JOB = { key: 'a', queue: 'mail', due: DUE, data: {} };
const STORED_CLAIM = { ...KEY, fingerprint: 'f', commandId: 'one', at: 0, run: 1, response: null };
const CLAIM = { fingerprint: 'f', leaseMs: 60_000, holder: 'one' };

interface Jar {
  readonly id: string;
  readonly coins: number;
}

const jars: Projection<Jar> = {
  name: 'jars',
  version: 1,
  indexes: [],
  id: ({ stream }) => stream,
  on: { CoinAdded: (jar, { stream }) => ({ id: stream, coins: (jar?.coins ?? 0) + 1 }) },
};

onMongo((server) => {
  if (IS_LIVE) return it.skip('needs a primary that can be cut off from its secondaries', () => undefined);

  let url: string;
  let primary: IsolatedPrimary;
  let stores: MongoStores;
  beforeEach(async () => {
    url = server.createDatabase();
    primary = await IsolatedPrimary.startFor(url);
    stores = await openMongo({ url: primary.url });
  });
  afterEach(async () => {
    await stores.close();
    primary.close();
    await server.dropDatabase(url);
    await server.dropDatabase(`${url}-aside`);
  });

  describe('A replica set', () => {
    it('creates indexes on a majority of its members, because one may be away', async () => {
      await stores.models.ensureCollection('jars', jars);

      expect(primary.indexings.length).toBeGreaterThan(2);
      for (const { commitQuorum } of primary.indexings) expect(commitQuorum).toBe('majority');
      expect(await stores.checkDurability()).toBe(
        'every write is in the journals of a majority of the MongoDB replica set',
      );
    });

    it('creates the indexes of many collections, however long each takes', async () => {
      primary.indexMs = 400;
      const names = Array.from({ length: 20 }, (_, n) => `jars${n}`);

      await Promise.all(names.map((name) => stores.models.ensureCollection(name, jars)));
      const indexed = new Set(primary.indexings.map((command) => command.createIndexes as string));
      expect(indexed.size).toBeGreaterThanOrEqual(names.length);
    });

    it('is not claimed of a server without replicas', async () => {
      const direct = await openMongo({ url });

      expect(await direct.checkDurability()).toBe(
        'every write is in the journal of one MongoDB server, which has no replicas',
      );
      await direct.close();
    });
  });

  describe('A primary that has lost its secondaries', () => {
    it('acknowledges no write, and returns none that may still be undone', async () => {
      const { models, checkpoints, catalogue, jobs, idempotency, vault } = stores;
      await models.upsert('jars', [row('jar_1', 1)]);
      await checkpoints.advanceCheckpoints({ jars: at(1) });
      await catalogue.compareAndSetEntry('jars@1', 0, { by: 'one' });
      await models.load('jars', ['jar_1']);
      await primary.isolate();

      for (const write of [
        () => models.upsert('jars', [row('jar_1', 2), row('jar_2', 2)]),
        () => checkpoints.advanceCheckpoints({ jars: at(2) }),
        () => catalogue.compareAndSetEntry('jars@1', 1, { by: 'two' }),
        () => models.compareAndSet('jars', row('jar_3', 2), ''),
        () => jobs.enqueue([{ key: 'a', queue: 'mail', due: DUE, data: {} }]),
        () => idempotency.claim(KEY, CLAIM),
        () => vault.putIfAbsent('secret', Buffer.from('kept')),
      ])
        await expect(write()).rejects.toMatchObject({ name: 'StoreUnavailable', maybeWritten: true });

      expect(await models.load('jars', ['jar_1', 'jar_2', 'jar_3'])).toEqual([row('jar_1', 1)]);
      expect(await models.scan('jars', null, 9)).toEqual([row('jar_1', 1)]);
      expect(await checkpoints.readCheckpoint('jars')).toBe(at(1));
      expect(await catalogue.listEntries()).toEqual([{ name: 'jars@1', revision: 1, value: { by: 'one' } }]);
      expect(await jobs.find('a')).toBeNull();
      expect(await jobs.findNextDue('mail')).toBeNull();
      expect(await idempotency.listClaims(null, 9)).toEqual([]);
    });

    it('does not treat a duplicate as an outcome while no majority has the first write', async () => {
      await primary.isolate();
      for (const write of [
        () => stores.models.compareAndSet('jars', row('jar_1', 1), ''),
        () => stores.catalogue.compareAndSetEntry('jars@1', 0, {}),
        () => stores.leases.acquireLease('follower', 'one', 60_000),
        () => stores.leases.acquireLease('follower', 'two', 60_000),
        () => stores.jobs.enqueue([{ key: 'a', queue: 'mail', due: DUE, data: {} }]),
        () => stores.idempotency.claim(KEY, CLAIM),
      ]) {
        await expect(write()).rejects.toBeInstanceOf(StoreUnavailable);
        await expect(write()).rejects.toBeInstanceOf(StoreUnavailable);
      }
    });

    it('loses no effect of an event on a projection when its writes are undone', async () => {
      const projector = new Projector(jars, {
        store: new MemoryEventStore(new SystemClock()),
        readModels: stores.models,
        clock: new SystemClock(),
      });
      await projector.prepare();
      await projector.handle([coin(1)]);
      await primary.isolate();

      await expect(projector.handle([coin(2), coin(3)])).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(projector.handle([coin(2), coin(3)])).rejects.toBeInstanceOf(StoreUnavailable);
      primary.rejoin();
      await projector.handle([coin(2), coin(3)]);

      expect(await stores.models.load('jars@1', ['jar_1'])).toMatchObject([
        { position: at(3), document: { coins: 3 } },
      ]);
    });
  });

  describe('A new primary that does not know the last acknowledged writes as those of a majority', () => {
    const save = (projector: Projector<Jar>, position: number) => projector.handle([coin(position)]);
    let projector: Projector<Jar>;
    beforeEach(async () => {
      projector = new Projector(jars, {
        store: new MemoryEventStore(new SystemClock()),
        readModels: stores.models,
        clock: new SystemClock(),
      });
      await projector.prepare();
      await save(projector, 1);
      await primary.remember();
      await save(projector, 2);
      primary.elect();
    });

    it('takes no acknowledged event from a document', async () => {
      await save(projector, 3).catch(() => save(projector, 3));

      expect(await stores.models.load('jars@1', ['jar_1'])).toMatchObject([
        { position: at(3), document: { coins: 3 } },
      ]);
    });
  });

  describe('A deposed primary that does not know of the election yet', () => {
    it('does not report a key as missing that the new primary has', async () => {
      await primary.depose();
      const successor = await openMongo({ url });
      await successor.vault.putIfAbsent('secret', Buffer.from('kept'));
      await successor.close();

      await expect(stores.vault.get('secret')).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it.each<[port: string, write: (stores: MongoStores) => Promise<unknown>]>([
      ['jobs', ({ jobs }) => jobs.enqueue([JOB])],
      ['restored jobs', ({ jobs }) => jobs.restore([{ ...JOB, attempt: 0, failures: 0, error: null, parked: false }])],
      ['claims of jobs', ({ jobs }) => jobs.claim('mail', { limit: 1, leaseMs: 60_000, holder: 'one' })],
      ['documents', ({ models }) => models.upsert('jars', [row('jar_1', 1), row('jar_2', 1)])],
      ['checkpoints', ({ checkpoints }) => checkpoints.advanceCheckpoints({ jars: at(1) })],
      ['rewound checkpoints', ({ checkpoints }) => checkpoints.rewindCheckpoints(['jars'], at(0))],
      ['restored claims', ({ idempotency }) => idempotency.restore([STORED_CLAIM])],
      ['secrets', ({ vault }) => vault.putIfAbsent('secret', Buffer.from('kept'))],
    ])('is unavailable for a bulk of %s, which it refuses as a whole', async (_, write) => {
      await primary.depose();

      await expect(write(stores)).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('grants no claim, no job and no lease', async () => {
      await stores.jobs.enqueue([{ key: 'a', queue: 'mail', due: DUE, data: {} }]);
      await primary.depose();

      await expect(stores.idempotency.claim(KEY, CLAIM)).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(stores.jobs.claim('mail', { limit: 1, leaseMs: 60_000, holder: 'one' })).rejects.toBeInstanceOf(
        StoreUnavailable,
      );
      await expect(stores.leases.acquireLease('follower', 'one', 60_000)).rejects.toBeInstanceOf(StoreUnavailable);
    });
  });
});

function row(id: string, position: number) {
  return { id, position: at(position), document: { id, coins: position } };
}

function coin(position: number): RecordedEvent {
  return {
    id: `e${position}`,
    type: 'CoinAdded',
    stream: 'jar_1',
    revision: position - 1,
    position: at(position),
    data: {},
    meta: {} as RecordedEvent['meta'],
  };
}
