import { DatabaseSync } from 'node:sqlite';
import { Folder } from './support/folder.js';

const DUE = '2026-02-01T09:00:00.000Z';
const job = (key: string, queue: string) => ({ key, queue, due: DUE, data: {} });

describe('The job queues of the embedded store', () => {
  const folder = Folder.each();

  it('notify listeners with the names of the changed queues', async () => {
    const { jobs } = await folder.open();
    const heard: unknown[] = [];
    const end = jobs.onEnqueued((queues) => heard.push(queues));
    await jobs.enqueue([job('a', 'mail'), job('b', 'mail'), job('c', 'funds')]);
    end();

    expect(heard).toContainEqual(['mail', 'funds']);
  });

  it('notify other processes with the names of the changed queues only', async () => {
    const [one, other] = [(await folder.open()).jobs, (await folder.open()).jobs];
    const heard: (readonly string[] | undefined)[] = [];
    const started = Promise.withResolvers<void>();
    const polled = Promise.withResolvers<void>();
    const end = one.onEnqueued((queues) => {
      heard.push(queues);
      (queues?.includes('last') ? polled : started).resolve();
    });
    await started.promise;
    heard.length = 0;
    await one.enqueue([job('a', 'mail')]);
    await other.enqueue([job('b', 'funds')]);
    await other.enqueue([job('c', 'last')]);
    await polled.promise;
    end();

    expect(heard.flatMap((queues) => queues ?? ['all of them'])).toEqual(
      expect.arrayContaining(['mail', 'funds', 'last']),
    );
    expect(heard).not.toContain(undefined);
  });

  it('have correct counts through all states of their jobs', async () => {
    const { jobs } = await folder.open();
    const claim = async () => (await jobs.claim('mail', { limit: 1, leaseMs: 60_000, holder: 'one' }))[0]!;
    await jobs.enqueue(['a', 'b', 'c', 'd'].map((key) => job(key, 'mail')));
    await jobs.complete(await claim());
    await jobs.park(await claim(), 'broken');
    await claim();

    expect(await jobs.readQueueStats()).toEqual([
      { queue: 'mail', waiting: 1, due: 1, running: 1, parked: 1, oldestDue: DUE },
    ]);
    await jobs.release('b', DUE);
    await jobs.cancel('d');
    expect(await jobs.readQueueStats()).toEqual([
      { queue: 'mail', waiting: 1, due: 1, running: 1, parked: 0, oldestDue: DUE },
    ]);
  });

  it('leave no rows in the file after they are empty', async () => {
    const { jobs } = await folder.open();
    const claim = async () => (await jobs.claim('mail', { limit: 1, leaseMs: 60_000, holder: 'one' }))[0]!;
    await jobs.enqueue([job('a', 'mail'), job('b', 'mail'), job('c', 'funds')]);
    const [first, second] = [await claim(), await claim()];
    await jobs.complete(first);
    await jobs.reschedule(second, DUE, 'not yet');
    await jobs.cancel('c');
    expect(readCounts()).toEqual([{ queue: 'mail', free: 1, parked: 0 }]);

    await jobs.cancel('b');
    expect(readCounts()).toEqual([]);
  });

  function readCounts(): readonly unknown[] {
    const db = new DatabaseSync(folder.file, { readOnly: true });
    try {
      return db
        .prepare('select queue, free, parked from job_counts')
        .all()
        .map((row) => ({ ...row }));
    } finally {
      db.close();
    }
  }
});
