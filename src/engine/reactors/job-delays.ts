import { MAX_CLOCK_SKEW_MS, toIso } from '../../kernel/clock.js';
import type { Job, Jobs } from '../../kernel/jobs.js';

/** The longest time for which a job may wait; for each job, or the same for all. */
export type MaxDelay = number | ((job: Job, now: number) => number);

const PAGE_JOBS = 500;
/** Comes after every key in the order of jobs. */
const LAST_KEY = '\uffff';

/**
 * Moves the waiting jobs of the queue that a clock dated too late. Jobs that move to the same time keep their order. No
 * job waits longer than before.
 */
export async function limitDelays(jobs: Jobs, queue: string, now: number, maxDelay: MaxDelay): Promise<void> {
  // A list costs the embedded store a thread, also at the start of a new store.
  if ((await jobs.findNextDue(queue)) === null) return;
  const maxDelayOf = typeof maxDelay === 'number' ? () => maxDelay : maxDelay;
  const earliest = toIso(now + (typeof maxDelay === 'number' ? maxDelay : MAX_CLOCK_SKEW_MS));
  let [previous, place] = [-Infinity, 0];
  for (let after = { due: earliest, key: LAST_KEY }; ;) {
    const page = await jobs.list({ queue, status: 'waiting', after, limit: PAGE_JOBS });
    for (const job of page) {
      const latest = now + maxDelayOf(job, now);
      if (job.due <= toIso(latest)) continue;
      place = latest === previous ? place + 1 : 0;
      previous = latest;
      await jobs.release(job.key, toIso(latest + place));
    }
    if (page.length < PAGE_JOBS) return;
    after = page.at(-1)!;
  }
}
