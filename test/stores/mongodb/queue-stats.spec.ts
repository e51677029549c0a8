import type { NewJob } from '../../../src/kernel/jobs.js';
import { Databases, onMongo } from './server.js';

const PAST = '2026-02-01T09:00:00.000Z';
const FUTURE = '2126-02-01T09:00:00.000Z';

onMongo((server) => {
  const databases = Databases.each(server);

  it('counts a large queue up to ten thousand, and still finds the earliest due time', async () => {
    const { jobs } = await databases.open();
    const many = Array.from({ length: 10_050 }, (_, n) => jobOf('funds', `${n}`, FUTURE));
    for (let from = 0; from < many.length; from += 2_000) await jobs.enqueue(many.slice(from, from + 2_000));
    await jobs.enqueue([jobOf('funds', 'first', PAST), jobOf('mail', 'only', FUTURE)]);

    expect(await jobs.readQueueStats()).toEqual([
      { queue: 'funds', waiting: 10_000, due: 1, running: 0, parked: 0, oldestDue: PAST },
      { queue: 'mail', waiting: 1, due: 0, running: 0, parked: 0, oldestDue: FUTURE },
    ]);
  });
});

function jobOf(queue: string, key: string, due: string): NewJob {
  return { key: `${queue}:${key}`, queue, due, data: {} };
}
