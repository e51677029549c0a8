import { toIso } from '../../src/kernel/clock.js';
import type { JobStatus } from '../../src/kernel/jobs.js';
import { type JobQueueFixture, LEASE_MS } from './job-queue-fixture.js';

/** Tests how operators read and change jobs. */
export function describeOperators({ opened, queue, job, claim, keys }: JobQueueFixture): void {
  describe('listing', () => {
    it('returns a job with its details, its holder and the end of its lease', async () => {
      await opened.store.enqueue([job('a', 0, { first: true })]);
      const waiting = await opened.store.find(job('a').key);
      const [running] = await claim();

      const seen = { ...job('a', 0, { first: true }), due: running!.due, id: running!.id, failures: 0, error: null };
      expect(waiting).toEqual({ ...seen, attempt: 0, status: 'waiting', holder: null, lease: null });
      const now = await opened.store.find(job('a').key);
      expect(now).toEqual({
        ...seen,
        attempt: 1,
        status: 'running',
        holder: 'one',
        lease: expect.any(String) as string,
      });
      expect(Math.abs(Date.parse(now!.lease!) - opened.now() - LEASE_MS)).toBeLessThan(LEASE_MS / 2);
      expect(await opened.store.find(job('b').key)).toBeNull();
    });

    it('reports a job as waiting after its lease has ended', async () => {
      await opened.store.enqueue([job('a')]);
      await claim();
      await opened.advanceTime(LEASE_MS + 1);

      expect(await opened.store.find(job('a').key)).toMatchObject({
        status: 'waiting',
        holder: null,
        lease: null,
        attempt: 1,
      });
    });

    it('lists a queue by time and then by key, page by page', async () => {
      const due = toIso(opened.now() - 5);
      const jobs = [
        job('c', -3),
        { ...job('b'), due },
        { ...job('a'), due },
        { ...job('x'), queue: `${queue()}other` },
      ];
      await opened.store.enqueue(jobs);
      const first = await opened.store.list({ queue: queue(), limit: 2 });

      expect(keys(first)).toEqual(['a', 'b']);
      expect(keys(await opened.store.list({ queue: queue(), after: first[1]!, limit: 2 }))).toEqual(['c']);
    });

    it('lists the jobs of one status', async () => {
      await opened.store.enqueue([job('a', -2), job('b', -1), job('c', 9_000)]);
      await opened.store.park((await claim(1))[0]!, 'poison');
      await claim(1);
      const of = async (status: JobStatus) => keys(await opened.store.list({ queue: queue(), status, limit: 10 }));

      expect([await of('parked'), await of('running'), await of('waiting')]).toEqual([['a'], ['b'], ['c']]);
    });

    it('counts each queue', async () => {
      await opened.store.enqueue([job('a', -2), job('b', -1), job('c', 9_000), job('d', 8_000)]);
      await opened.store.park((await claim(1))[0]!, 'poison');
      await claim(1);
      const oldestDue = (await opened.store.find(job('d').key))!.due;

      const sizes = (await opened.store.readQueueStats()).filter((size) => size.queue === queue());
      expect(sizes).toEqual([{ queue: queue(), waiting: 2, due: 0, running: 1, parked: 1, oldestDue }]);
      await opened.store.release(job('c').key, toIso(opened.now()));
      expect((await opened.store.readQueueStats()).find((size) => size.queue === queue())).toMatchObject({
        waiting: 2,
        due: 1,
      });
    });

    it('counts the jobs of given queues alone', async () => {
      const [other, empty] = [`${queue()}:other`, `${queue()}:empty`];
      await opened.store.enqueue([job('a'), { ...job('b'), queue: other }, { ...job('c'), queue: other }]);

      expect(await opened.store.readQueueStats([other, empty])).toMatchObject([{ queue: other, waiting: 2 }]);
      expect(await opened.store.readQueueStats([])).toEqual([]);
    });

    it('reports no due time for a queue without waiting jobs', async () => {
      await opened.store.enqueue([job('a')]);
      await claim();

      expect((await opened.store.readQueueStats()).find((size) => size.queue === queue())).toMatchObject({
        waiting: 0,
        oldestDue: null,
      });
    });
  });

  describe('restoring', () => {
    it('stores a job with its attempts and failures and without a lease', async () => {
      const seen = { ...job('a', -1, { first: true }), attempt: 3, failures: 2, error: 'a broom broke' };
      const waiting = { ...seen, parked: false };
      await opened.store.restore([waiting, { ...waiting, ...job('b', -1), parked: true }]);
      const text = expect.any(String) as string;

      expect(await opened.store.find(waiting.key)).toEqual({
        ...seen,
        id: text,
        status: 'waiting',
        holder: null,
        lease: null,
      });
      expect(await opened.store.find(job('b').key)).toMatchObject({
        status: 'parked',
        attempt: 3,
        failures: 2,
        error: 'a broom broke',
      });
      expect(await claim()).toMatchObject([{ key: waiting.key, attempt: 4, failures: 2, data: { first: true } }]);
    });

    it('does not change a job with the same key', async () => {
      await opened.store.enqueue([job('a')]);
      await opened.store.restore([
        { ...job('a', 0, { other: true }), attempt: 9, failures: 9, error: 'x', parked: true },
      ]);

      expect(await claim()).toMatchObject([{ attempt: 1, failures: 0, data: {} }]);
    });
  });

  describe('an operator', () => {
    it('makes a parked job due and resets its failures', async () => {
      await opened.store.enqueue([job('a')]);
      await opened.store.park((await claim())[0]!, 'poison');
      const due = toIso(opened.now());

      expect(await opened.store.release(job('a').key, due)).toBe(true);
      expect(await opened.store.find(job('a').key)).toMatchObject({ status: 'waiting', due, failures: 0 });
      expect(await claim()).toMatchObject([{ attempt: 2, failures: 0 }]);
    });

    it('makes a job due before its time', async () => {
      await opened.store.enqueue([job('a', 60_000)]);
      await opened.store.release(job('a').key, toIso(opened.now()));

      expect(keys(await claim())).toEqual(['a']);
    });

    it('deletes a job, which frees its key', async () => {
      await opened.store.enqueue([job('a', 60_000)]);

      expect(await opened.store.cancel(job('a').key)).toBe(true);
      expect(await opened.store.cancel(job('a').key)).toBe(false);
      await opened.store.enqueue([job('a')]);
      expect(keys(await claim())).toEqual(['a']);
    });

    it('cannot change a running or a missing job', async () => {
      await opened.store.enqueue([job('a')]);
      const [running] = await claim();

      expect(await opened.store.release(job('a').key, toIso(opened.now()))).toBe(false);
      expect(await opened.store.cancel(job('a').key)).toBe(false);
      expect(await opened.store.release(job('b').key, toIso(opened.now()))).toBe(false);
      expect(await opened.store.complete(running!)).toBe(true);
    });

    it('makes changes that a run with an expired lease cannot undo', async () => {
      await opened.store.enqueue([job('a')]);
      const [stale] = await claim();
      await opened.advanceTime(LEASE_MS + 1);
      await opened.store.release(job('a').key, toIso(opened.now()));

      expect(await opened.store.complete(stale!)).toBe(false);
      expect(await opened.store.renewLease(stale!, LEASE_MS)).toBe(false);
      expect(keys(await claim())).toEqual(['a']);
    });
  });
}
