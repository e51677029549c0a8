import type { Jobs } from '../../src/kernel/jobs.js';
import { describeContract } from './contract.js';
import { describeOperators } from './job-operators.js';
import { describeOutcomes } from './job-outcomes.js';
import { createJobQueueFixture, LEASE_MS } from './job-queue-fixture.js';
import { eachOpenStore, type OpenStoreFunction } from './open-store.js';

export function describeJobs(name: string, open: OpenStoreFunction<Jobs>): void {
  describeContract(`Jobs on ${name}`, () => {
    const opened = eachOpenStore(open);
    const line = createJobQueueFixture(opened);
    const { queue, job, options, claim, keys } = line;

    describe('enqueuing', () => {
      it('delivers a job only when it is due', async () => {
        await opened.store.enqueue([job('a', 500)]);

        expect(await opened.store.findNextDue(queue())).toBe(job('a', 500).due);
        expect(await claim()).toEqual([]);
        await opened.advanceTime(500);
        const text = expect.any(String) as string;
        expect(await claim()).toEqual([{ ...job('a', 0), due: text, id: text, attempt: 1, failures: 0 }]);
      });

      it('has no effect while a job with the key exists', async () => {
        await opened.store.enqueue([job('a', 0, { first: true }), job('a', 0)]);
        await opened.store.enqueue([job('a', 0)]);
        const [a] = await claim();
        await opened.store.enqueue([job('a', 0)]);

        expect(a!.data).toEqual({ first: true });
        expect(await claim()).toEqual([]);
      });

      it('accepts the key again after the job is completed', async () => {
        await opened.store.enqueue([job('a')]);
        await opened.store.complete((await claim())[0]!);
        await opened.store.enqueue([job('a')]);

        expect(keys(await claim())).toEqual(['a']);
      });

      it('is durable when the store is opened again', async () => {
        await opened.store.enqueue([job('a')]);

        expect(keys(await (await opened.reopen()).claim(queue(), options()))).toEqual(['a']);
      });

      it('notifies listeners until they are removed', async () => {
        let heard = 0;
        const first = Promise.withResolvers<void>();
        const end = opened.store.onEnqueued(() => {
          heard++;
          first.resolve();
        });
        await opened.store.enqueue([job('a')]);
        await first.promise;
        end();
        const before = heard;
        await opened.store.enqueue([job('b')]);

        expect(heard).toBe(before);
      });
    });

    describe('claiming', () => {
      it('returns the oldest jobs of the queue first, up to the limit', async () => {
        await opened.store.enqueue([
          job('c', -1),
          job('a', -3),
          job('b', -2),
          { ...job('x', -9), queue: `${queue()}other` },
        ]);

        expect(keys(await claim(2))).toEqual(['a', 'b']);
        expect(keys(await claim(2))).toEqual(['c']);
      });

      it('gives each job to exactly one of several concurrent claims', async () => {
        await opened.store.enqueue(Array.from({ length: 90 }, (_, i) => job(`k${i}`)));
        const claimed = await Promise.all(
          Array.from({ length: 9 }, (_, i) => opened.store.claim(queue(), { ...options(20), holder: `${i}` })),
        );

        expect(keys(claimed.flat()).sort()).toEqual(Array.from({ length: 90 }, (_, i) => `k${i}`).sort());
      });

      it('returns a job again with a higher attempt after its lease has ended', async () => {
        await opened.store.enqueue([job('a')]);
        await claim();

        expect(await claim()).toEqual([]);
        await opened.advanceTime(LEASE_MS + 1);
        expect(await claim()).toMatchObject([{ key: job('a').key, attempt: 2 }]);
      });

      it('returns a job with an expired lease before a younger job', async () => {
        await opened.store.enqueue([job('old', -50)]);
        await claim();
        await opened.store.enqueue([job('young', -10)]);
        await opened.advanceTime(LEASE_MS + 1);

        expect(keys(await claim(1))).toEqual(['old']);
      });
    });

    describe('the next due time', () => {
      it('is null in an empty queue', async () => {
        expect(await opened.store.findNextDue(queue())).toBeNull();
      });

      it('includes the end of a lease', async () => {
        await opened.store.enqueue([job('a'), job('b', 5_000)]);
        await claim();

        const next = Date.parse((await opened.store.findNextDue(queue()))!);
        expect(Math.abs(next - opened.now() - LEASE_MS)).toBeLessThan(LEASE_MS / 2);
      });
    });

    describeOutcomes(line);
    describeOperators(line);
  });
}
