import { Folder } from './support/folder.js';

const DUE = '2026-02-01T09:00:00.000Z';
const job = (key: string, queue: string) => ({ key, queue, due: DUE, data: {} });

describe('The job queues of the embedded store', () => {
  const folder = Folder.each();

  it('name the queues that a put has added to, so that other workers keep still', async () => {
    const { jobs } = await folder.open();
    const heard: unknown[] = [];
    const end = jobs.onPut((queues) => heard.push(queues));
    await jobs.put([job('a', 'mail'), job('b', 'mail'), job('c', 'funds')]);
    end();

    expect(heard).toContainEqual(['mail', 'funds']);
  });

  it('are counted as their jobs go through them', async () => {
    const { jobs } = await folder.open();
    const claim = async () => (await jobs.claim('mail', { limit: 1, leaseMs: 60_000, holder: 'one' }))[0]!;
    await jobs.put(['a', 'b', 'c', 'd'].map((key) => job(key, 'mail')));
    await jobs.done(await claim());
    await jobs.park(await claim(), 'broken');
    await claim();

    expect(await jobs.sizes()).toEqual([{ queue: 'mail', waiting: 1, due: 1, running: 1, parked: 1, oldestDue: DUE }]);
    await jobs.release('b', DUE);
    await jobs.cancel('d');
    expect(await jobs.sizes()).toEqual([{ queue: 'mail', waiting: 1, due: 1, running: 1, parked: 0, oldestDue: DUE }]);
  });
});
