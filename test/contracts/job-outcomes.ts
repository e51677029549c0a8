import { toIso } from '../../src/kernel/clock.js';
import type { Job } from '../../src/kernel/jobs.js';
import { type JobQueueFixture, LEASE_MS } from './job-queue-fixture.js';

/** Tests the effects of the outcomes that a run reports. */
export function describeOutcomes({ opened, queue, job, options, claim, keys }: JobQueueFixture): void {
  describe('a run that reports its outcome', () => {
    let a: Job;
    beforeEach(async () => {
      await opened.store.enqueue([job('a')]);
      a = (await claim())[0]!;
    });

    it('completes the job once', async () => {
      expect(await opened.store.complete(a)).toBe(true);
      expect(await opened.store.complete(a)).toBe(false);
      expect(await opened.store.findNextDue(queue())).toBeNull();
    });

    it('makes a retried job due at the given time, and no earlier', async () => {
      const due = toIso(opened.now() + 300);
      expect(await opened.store.retry(a, due, 'refused')).toBe(true);

      expect(await opened.store.findNextDue(queue())).toBe(due);
      expect(await claim()).toEqual([]);
      await opened.advanceTime(300);
      expect(await claim()).toMatchObject([{ key: job('a').key, attempt: 2, due }]);
    });

    it('parks the job, whose key stays in use', async () => {
      expect(await opened.store.park(a, 'poison')).toBe(true);
      await opened.store.enqueue([job('a')]);
      await opened.advanceTime(LEASE_MS + 1);

      expect(await claim()).toEqual([]);
      expect(await opened.store.findNextDue(queue())).toBeNull();
    });

    it('keeps the job while it renews its lease', async () => {
      await opened.advanceTime(LEASE_MS / 2);
      expect(await opened.store.renewLease(a, LEASE_MS)).toBe(true);
      await opened.advanceTime(LEASE_MS / 2 + 1);

      expect(await claim()).toEqual([]);
    });

    it('is ignored under an older attempt', async () => {
      await opened.advanceTime(LEASE_MS + 1);
      const [again] = await claim();

      expect(await opened.store.renewLease(a, LEASE_MS)).toBe(false);
      expect(await opened.store.retry(a, toIso(opened.now()), 'late')).toBe(false);
      expect(await opened.store.park(a, 'late')).toBe(false);
      expect(await opened.store.complete(a)).toBe(false);
      expect(await opened.store.complete(again!)).toBe(true);
    });

    it('is ignored after another outcome has been reported', async () => {
      await opened.store.retry(a, toIso(opened.now()), 'refused');

      expect(await opened.store.complete(a)).toBe(false);
      expect(keys(await claim())).toEqual(['a']);
    });
  });

  describe('a run of a job whose key was enqueued again', () => {
    let stale: Job;
    let current: Job;
    beforeEach(async () => {
      await opened.store.enqueue([job('a')]);
      stale = (await claim())[0]!;
      await opened.store.complete(stale);
      await opened.store.enqueue([job('a')]);
      current = (await claim())[0]!;
    });

    it('is ignored, although the new job has the same key and attempt', async () => {
      expect(current).toMatchObject({ key: stale.key, attempt: stale.attempt });
      expect(await opened.store.renewLease(stale, LEASE_MS)).toBe(false);
      expect(await opened.store.retry(stale, toIso(opened.now()), 'late')).toBe(false);
      expect(await opened.store.reschedule(stale, toIso(opened.now()), 'late')).toBe(false);
      expect(await opened.store.park(stale, 'late')).toBe(false);
      expect(await opened.store.complete(stale)).toBe(false);
      expect(await opened.store.complete(current)).toBe(true);
    });

    it('has another id than a run of the new job', async () => {
      expect(current.id).not.toBe(stale.id);
      expect((await opened.store.find(current.key))!.id).toBe(current.id);
    });
  });

  describe('a failure', () => {
    it('is counted with the job, even after the store is opened again', async () => {
      await opened.store.enqueue([job('a')]);
      await opened.store.retry((await claim())[0]!, toIso(opened.now()), 'refused');
      const store = await opened.reopen();
      const [second] = await store.claim(queue(), options());
      await store.park(second!, 'poison');

      expect(second).toMatchObject({ attempt: 2, failures: 1 });
      expect(await store.find(second!.key)).toMatchObject({ failures: 2, status: 'parked', error: 'poison' });
    });

    it('is no longer counted after a run reschedules the job', async () => {
      await opened.store.enqueue([job('a')]);
      await opened.store.retry((await claim())[0]!, toIso(opened.now()), 'refused');
      const due = toIso(opened.now() + 300);
      expect(await opened.store.reschedule((await claim())[0]!, due, 'not yet')).toBe(true);

      expect(await opened.store.find(job('a').key)).toMatchObject({
        failures: 0,
        due,
        error: 'not yet',
        status: 'waiting',
      });
      await opened.advanceTime(300);
      expect(await claim()).toMatchObject([{ attempt: 3, failures: 0 }]);
    });

    it('keeps the data that a run has set when it rescheduled the job, and the earlier data otherwise', async () => {
      await opened.store.enqueue([job('a')]);
      const due = toIso(opened.now());
      await opened.store.reschedule((await claim())[0]!, due, 'not yet', { since: due });
      await opened.store.retry((await claim())[0]!, due, 'refused');
      await opened.store.reschedule((await claim())[0]!, due, 'not yet');

      expect(await claim()).toMatchObject([{ data: { since: due } }]);
    });

    it('is not counted for an expired lease', async () => {
      await opened.store.enqueue([job('a')]);
      await claim();
      await opened.advanceTime(LEASE_MS + 1);

      expect(await claim()).toMatchObject([{ attempt: 2, failures: 0 }]);
    });
  });
}
