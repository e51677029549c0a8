import { MongoClient } from 'mongodb';
import { repeat } from '../../../src/stores/mongodb/repeat.js';
import { BackgroundLog } from '../../support/background-log.js';
import { eventually } from '../../support/eventually.js';
import { recordReports } from '../../support/record-reports.js';
import { Databases, onMongo } from './server.js';

const ORDERS = 'orders@1#1';
const DUE = '2026-02-01T09:00:00.000Z';
const job = (key: string) => ({ key, queue: 'mail', due: DUE, data: {} });

describe('Repeated work of the MongoDB adapter', () => {
  const log = BackgroundLog.each();

  it('is repeated after each failure, and its failures are logged once, with the stack', async () => {
    const error = new TypeError('broken');
    let runs = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = repeat('sweep', () => (++runs > 3 ? resolve() : undefined, Promise.reject(error)), 1);
    await promise;
    end();

    expect(log.lines).toEqual([['error', { kind: 'loop', name: 'sweep', err: error }]]);
  });
});

onMongo((server) => {
  const databases = Databases.each(server);
  const log = BackgroundLog.each();

  const inDatabase = async (work: (db: ReturnType<MongoClient['db']>) => Promise<unknown>) => {
    const client = new MongoClient(databases.url);
    await work(client.db());
    await client.close();
  };

  it('logs a failing notification once, and notifies the listeners of its process each time', async () => {
    const { jobs } = await databases.open();
    await inDatabase((db) =>
      db.collection<{ _id: string; rings: unknown }>('change_counters').insertOne({ _id: 'jobs', rings: 'x' }),
    );
    const reports = recordReports();
    let heard = 0;
    const end = jobs.onEnqueued(() => heard++);
    for (const key of ['a', 'b', 'c']) await jobs.enqueue([job(key)]);
    await eventually(
      () => Promise.resolve(reports.list.filter(([what]) => what === 'failed')),
      ({ length }) => length > 1,
    );
    end();
    reports.stop();

    expect(heard).toBeGreaterThanOrEqual(3);
    expect(log.lines).toEqual([
      [
        'error',
        { kind: 'loop', name: 'change notifications', err: expect.objectContaining({ stack: expect.any(String) }) },
      ],
    ]);
  });

  it('logs a failing end of the sizes of lists once, and closes all the same', async () => {
    const stores = await databases.open();
    await stores.models.ensureCollection(ORDERS, { indexes: [], totals: [['business.id']] });
    await stores.models.upsert(ORDERS, [{ id: 'ord_1', position: '1', document: { business: { id: 'biz_1' } } }]);
    await inDatabase((db) => db.collection('sizes.parts').updateMany({}, { $set: { openers: 'x' } }));
    await stores.close();

    expect(log.lines).toEqual([
      ['error', { kind: 'loop', name: 'sizes of lists', err: expect.objectContaining({ stack: expect.any(String) }) }],
    ]);
  });
});
