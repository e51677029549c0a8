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
