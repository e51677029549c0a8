import { MongoNetworkError, MongoServerError, MongoServerSelectionError, type TopologyDescription } from 'mongodb';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { translateOutages } from '../../../src/stores/mongodb/failures.js';
import { type MongoStores, openMongo } from '../../../src/stores/mongodb/mongodb.js';
import { MongoJava } from '../../support/mongo-java/mongo-java.js';

const MAX_MS = 10_000;
const UNREACHABLE = 'mongodb://127.0.0.1:1/test';
const JOB = { key: 'a', queue: 'mail', due: '2026-02-01T09:00:00.000Z', data: {} };

describe('An error of MongoDB', () => {
  it.each([
    [
      'another server is the primary',
      new MongoServerError({ message: 'not primary', code: 10107, codeName: 'NotWritablePrimary' }),
      true,
    ],
    ['its disk is full', new MongoServerError({ message: 'full', code: 14031, codeName: 'OutOfDiskSpace' }), true],
    [
      'no majority has the write',
      new MongoServerError({ message: 'waiting', code: 64, codeName: 'WriteConcernFailed' }),
      true,
    ],
    [
      'the user lacks a permission',
      new MongoServerError({ message: 'not authorized', code: 13, codeName: 'Unauthorized' }),
      true,
    ],
    ['the user is unknown', new MongoServerError({ message: 'Authentication failed.', code: 18 }), true],
    [
      'it has interrupted the operation',
      new MongoServerError({ message: 'interrupted', code: 11601, codeName: 'Interrupted' }),
      true,
    ],
    ['it has lost a cursor', new MongoServerError({ message: 'cursor', code: 43, codeName: 'CursorNotFound' }), true],
    [
      'it is busy for a while',
      new MongoServerError({ message: 'busy', code: 365, codeName: 'TemporarilyUnavailable' }),
      true,
    ],
    ['the connection is cut', new MongoNetworkError('closed'), true],
    ['the socket is closed during a write', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), true],
    [
      'its routing is out of date',
      new MongoServerError({ message: 'stale', code: 63, codeName: 'StaleShardVersion' }),
      true,
    ],
    ['a majority read is not possible yet', new MongoServerError({ message: 'yet', code: 134 }), true],
    [
      'its shards have a newer epoch',
      new MongoServerError({ message: 'stale', code: 150, codeName: 'StaleEpoch' }),
      true,
    ],
    ['a shard did not answer it', new MongoServerError({ message: 'late', code: 202 }), true],
    ['a shard is of another epoch', new MongoServerError({ message: 'stale', code: 276 }), true],
    [
      'it has a code that no version of the service knows',
      new MongoServerError({ message: 'new', code: 987_654 }),
      true,
    ],
    ['it names no code', new MongoServerError({ message: 'something is wrong' }), true],
    [
      'it refuses a duplicate that no majority has',
      new MongoServerError({ message: 'E11000', code: 11000, writeConcernError: { code: 64 } }),
      true,
    ],
    ['no server can be found', new MongoServerSelectionError('none', {} as TopologyDescription), false],
  ])('is an outage when %s', async (_, error, maybeWritten) => {
    const failure = await catchError(() => translateOutages(() => Promise.reject(error)));

    expect(failure).toMatchObject({ name: 'StoreUnavailable', maybeWritten, cause: error });
  });

  it.each([
    ['the command is wrong', new MongoServerError({ message: 'bad', code: 2, codeName: 'BadValue' })],
    ['a key is taken', new MongoServerError({ message: 'E11000', code: 11000, codeName: 'DuplicateKey' })],
    ['a certificate file is missing', Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'open' })],
    ['a document is too large for it', Object.assign(new RangeError('too large'), { code: 'ERR_OUT_OF_RANGE' })],
  ])('is a mistake when %s', async (_, error) => {
    expect(await catchError(() => translateOutages(() => Promise.reject(error)))).toBe(error);
  });
});

it('reports an unreachable MongoDB within seconds', async () => {
  const began = performance.now();

  expect(await catchError(() => openMongo({ url: UNREACHABLE }))).toBeInstanceOf(StoreUnavailable);
  expect(performance.now() - began).toBeLessThan(MAX_MS);
});

const missing = MongoJava.missing;
(missing === null ? describe : describe.skip)(
  `While the server is away${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let java: MongoJava;
    let stores: MongoStores;
    beforeEach(async () => {
      java = await MongoJava.start();
      stores = await openMongo({ url: java.url });
    });
    afterEach(async () => {
      await stores.close();
      await java.stop();
    });

    it('every port rejects as unavailable within seconds', async () => {
      await java.stop();
      const began = performance.now();
      const failures = await Promise.all(asked(stores).map(catchError));

      for (const failure of failures) expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(performance.now() - began).toBeLessThan(MAX_MS);
    });

    it('a silent server counts as unavailable, and is used again when it responds', async () => {
      await java.stall();
      const began = performance.now();
      const failures = await Promise.all(asked(stores).map(catchError));
      expect(performance.now() - began).toBeLessThan(MAX_MS);
      java.resume();

      for (const failure of failures) expect(failure).toBeInstanceOf(StoreUnavailable);
      await stores.jobs.enqueue([JOB]);
      expect(await stores.jobs.find('a')).toMatchObject({ status: 'waiting' });
    });
  },
);

function asked({ models, leases, jobs, idempotency, vault }: MongoStores): (() => Promise<unknown>)[] {
  return [
    () => models.upsert('jars', [{ id: 'a', position: '1', document: {} }]),
    () => models.find('jars', { where: {}, orderBy: 'id', limit: 1 }),
    () => leases.acquireLease('follower', 'one', 1_000),
    () => jobs.enqueue([JOB]),
    () => jobs.claim('mail', { limit: 1, leaseMs: 1_000, holder: 'one' }),
    () => idempotency.claim({ scope: 'biz_1', key: 'k' }, { fingerprint: 'f', leaseMs: 1_000, holder: 'one' }),
    () => vault.get('a'),
  ];
}

async function catchError(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => null,
    (error: unknown) => error,
  );
}
