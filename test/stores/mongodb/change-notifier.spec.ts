import { MongoClient } from 'mongodb';
import { eventually } from '../../support/eventually.js';
import { Databases, onMongo } from './server.js';

const DUE = '2026-02-01T09:00:00.000Z';

onMongo((server) => {
  const databases = Databases.each(server);

  it('notifies listeners of jobs that another process has enqueued', async () => {
    const [one, two] = [await databases.open(), await databases.open()];
    let heard = Promise.withResolvers<void>();
    const end = one.jobs.onEnqueued(() => heard.resolve());
    for (const key of ['a', 'b', 'c']) {
      heard = Promise.withResolvers<void>();
      await two.jobs.enqueue([{ key, queue: 'mail', due: DUE, data: {} }]);
      await heard.promise;
    }
    end();

    expect(await one.jobs.findNextDue('mail')).toBe(DUE);
  });

  it('notifies listeners in the same process with the names of the queues with new jobs only', async () => {
    const { jobs } = await databases.open();
    const job = (key: string, queue: string) => ({ key, queue, due: DUE, data: {} });
    await jobs.enqueue([job('a', 'mail')]);
    const heard: (readonly string[] | undefined)[] = [];
    const end = jobs.onEnqueued((queues) => heard.push(queues));
    await jobs.enqueue([job('a', 'mail'), job('b', 'funds'), job('c', 'funds')]);
    end();

    expect(heard).toContainEqual(['funds']);
  });

  it('notifies listeners in other processes with the names of the queues with new jobs only', async () => {
    const [one, two] = [await databases.open(), await databases.open()];
    const heard: (readonly string[] | undefined)[] = [];
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const end = one.jobs.onEnqueued((queues) => {
      heard.push(queues);
      (queues?.includes('last') ? ended : started).resolve();
    });
    await started.promise;
    heard.length = 0;
    const job = (key: string, queue: string) => ({ key, queue, due: DUE, data: {} });
    await one.jobs.enqueue([job('a', 'mail')]);
    await two.jobs.enqueue([job('b', 'funds.eur')]);
    await two.jobs.enqueue([job('c', 'last')]);
    await ended.promise;
    end();

    expect(new Set(heard.flat())).toEqual(new Set(['mail', 'funds.eur', 'last']));
  });

  it('stores no name of a queue of one endpoint', async () => {
    const { jobs } = await databases.open();
    const names = ['mail', 'deliveries:whs_1', 'deliveries:whs_2'];
    await jobs.enqueue(names.map((queue) => ({ key: queue, queue, due: DUE, data: {} })));
    const client = new MongoClient(databases.url);
    const counters = client.db().collection('change_counters');
    const counter = await eventually(
      () => counters.findOne(),
      (row) => row?.['rings'] === 2,
    );
    await client.close();

    expect(Object.keys(counter!['queues'] as object)).toEqual(['mail']);
  });

  it('notifies listeners of the jobs of an older process, which counts them without their queues', async () => {
    const { jobs } = await databases.open();
    const [started, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<readonly string[] | undefined>()];
    let isStarted = false;
    const end = jobs.onEnqueued((queues) => {
      if (isStarted) heard.resolve(queues);
      isStarted = true;
      started.resolve();
    });
    await started.promise;
    const client = new MongoClient(databases.url);
    const counters = client.db().collection<{ _id: string }>('change_counters');
    await counters.updateOne({ _id: 'jobs' }, { $inc: { rings: 1 } }, { upsert: true });
    await client.close();

    expect(await heard.promise).toBeUndefined();
    end();
  });

  it('notifies listeners of a job that another process has released', async () => {
    const [one, two] = [await databases.open(), await databases.open()];
    await two.jobs.enqueue([{ key: 'a', queue: 'mail', due: '2099-01-01T00:00:00.000Z', data: {} }]);
    const heard = Promise.withResolvers<void>();
    const end = one.jobs.onEnqueued(() => heard.resolve());
    await two.jobs.release('a', DUE);
    await heard.promise;
    end();

    expect(await one.jobs.claim('mail', { limit: 1, leaseMs: 1_000, holder: 'one' })).toMatchObject([{ key: 'a' }]);
  });
});
