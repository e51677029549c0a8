import { iso } from '../../src/kernel/clock.js';
import type { Job } from '../../src/kernel/jobs.js';
import { LEASE_MS, type Line } from './job-line.js';

/** What becomes of a job when a run of it tells its outcome. */
export function describeOutcomes({ opened, queue, job, options, claim, keys }: Line): void {
  describe('telling the outcome', () => {
    let a: Job;
    beforeEach(async () => {
      await opened.store.put([job('a')]);
      a = (await claim())[0]!;
    });

    it('is done once', async () => {
      expect(await opened.store.done(a)).toBe(true);
      expect(await opened.store.done(a)).toBe(false);
      expect(await opened.store.nextDue(queue())).toBeNull();
    });

    it('is tried again at the time that was told, and no earlier', async () => {
      const due = iso(opened.now() + 300);
      expect(await opened.store.retry(a, due, 'refused')).toBe(true);

      expect(await opened.store.nextDue(queue())).toBe(due);
      expect(await claim()).toEqual([]);
      await opened.pass(300);
      expect(await claim()).toMatchObject([{ key: job('a').key, attempt: 2, due }]);
    });

    it('is set aside when it is parked, and its key stays taken', async () => {
      expect(await opened.store.park(a, 'poison')).toBe(true);
      await opened.store.put([job('a')]);
      await opened.pass(LEASE_MS + 1);

      expect(await claim()).toEqual([]);
      expect(await opened.store.nextDue(queue())).toBeNull();
    });

    it('keeps its lease while it is extended', async () => {
      await opened.pass(LEASE_MS / 2);
      expect(await opened.store.extend(a, LEASE_MS)).toBe(true);
      await opened.pass(LEASE_MS / 2 + 1);

      expect(await claim()).toEqual([]);
    });

    it('is ignored under an older attempt', async () => {
      await opened.pass(LEASE_MS + 1);
      const [again] = await claim();

      expect(await opened.store.extend(a, LEASE_MS)).toBe(false);
      expect(await opened.store.retry(a, iso(opened.now()), 'late')).toBe(false);
      expect(await opened.store.park(a, 'late')).toBe(false);
      expect(await opened.store.done(a)).toBe(false);
      expect(await opened.store.done(again!)).toBe(true);
    });

    it('is ignored once another outcome has been told', async () => {
      await opened.store.retry(a, iso(opened.now()), 'refused');

      expect(await opened.store.done(a)).toBe(false);
      expect(keys(await claim())).toEqual(['a']);
    });
  });

  describe('a run of a job that was put again', () => {
    let stale: Job;
    let current: Job;
    beforeEach(async () => {
      await opened.store.put([job('a')]);
      stale = (await claim())[0]!;
      await opened.store.done(stale);
      await opened.store.put([job('a')]);
      current = (await claim())[0]!;
    });

    it('has the key and the attempt of another job, and is ignored', async () => {
      expect(current).toMatchObject({ key: stale.key, attempt: stale.attempt });
      expect(await opened.store.extend(stale, LEASE_MS)).toBe(false);
      expect(await opened.store.retry(stale, iso(opened.now()), 'late')).toBe(false);
      expect(await opened.store.again(stale, iso(opened.now()), 'late')).toBe(false);
      expect(await opened.store.park(stale, 'late')).toBe(false);
      expect(await opened.store.done(stale)).toBe(false);
      expect(await opened.store.done(current)).toBe(true);
    });

    it('has an id that is not that of the first', async () => {
      expect(current.id).not.toBe(stale.id);
      expect((await opened.store.find(current.key))!.id).toBe(current.id);
    });
  });

  describe('failing', () => {
    it('is counted with the job, also when the store is opened again', async () => {
      await opened.store.put([job('a')]);
      await opened.store.retry((await claim())[0]!, iso(opened.now()), 'refused');
      const store = await opened.reopen();
      const [second] = await store.claim(queue(), options());
      await store.park(second!, 'poison');

      expect(second).toMatchObject({ attempt: 2, failures: 1 });
      expect(await store.find(second!.key)).toMatchObject({ failures: 2, status: 'parked', error: 'poison' });
    });

    it('is forgotten once a run only asks to be run again', async () => {
      await opened.store.put([job('a')]);
      await opened.store.retry((await claim())[0]!, iso(opened.now()), 'refused');
      const due = iso(opened.now() + 300);
      expect(await opened.store.again((await claim())[0]!, due, 'not yet')).toBe(true);

      expect(await opened.store.find(job('a').key)).toMatchObject({ failures: 0, due, error: 'not yet', status: 'waiting' });
      await opened.pass(300);
      expect(await claim()).toMatchObject([{ attempt: 3, failures: 0 }]);
    });

    it('is not the end of a lease', async () => {
      await opened.store.put([job('a')]);
      await claim();
      await opened.pass(LEASE_MS + 1);

      expect(await claim()).toMatchObject([{ attempt: 2, failures: 0 }]);
    });
  });
}
