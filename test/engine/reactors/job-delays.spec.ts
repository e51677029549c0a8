import { limitDelays, type MaxDelay } from '../../../src/engine/reactors/job-delays.js';
import { toIso } from '../../../src/kernel/clock.js';
import type { JobDetails, ListJobsOptions } from '../../../src/kernel/jobs.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryJobs } from '../../support/memory/jobs.js';

const QUEUE = 'sweeps';
const [HOUR, YEAR] = [3_600_000, 31_536_000_000];

/** Returns the keys and delays of the waiting jobs after the limit, in their order. */
async function limit(waits: Readonly<Record<string, number>>, maxDelay: MaxDelay): Promise<[string, number][]> {
  const clock = new ManualClock();
  const jobs = new MemoryJobs(clock);
  await jobs.enqueue(
    Object.entries(waits).map(([key, ms]) => ({ key, queue: QUEUE, due: toIso(clock.now() + ms), data: {} })),
  );
  await limitDelays(jobs, QUEUE, clock.now(), maxDelay);
  const listed = await jobs.list({ queue: QUEUE, limit: 1_000 });
  return listed.map(({ key, due }) => [key, Date.parse(due) - clock.now()]);
}

/** Counts how often jobs are listed, for which the embedded store starts a thread. */
class ListedJobs extends MemoryJobs {
  lists = 0;

  override list(options: ListJobsOptions): Promise<JobDetails[]> {
    this.lists++;
    return super.list(options);
  }
}

describe('The limit of the delays of a queue', () => {
  it('moves the jobs that wait longer, in their order', async () =>
    expect(await limit({ soon: HOUR / 2, c: YEAR, a: YEAR + 1, b: YEAR + 2 }, HOUR)).toEqual([
      ['soon', HOUR / 2],
      ['c', HOUR],
      ['a', HOUR + 1],
      ['b', HOUR + 2],
    ]));

  it('can differ from job to job', async () =>
    expect(await limit({ a: 2 * HOUR, b: 3 * HOUR }, ({ key }) => (key === 'a' ? Infinity : 5_000))).toEqual([
      ['b', 5_000],
      ['a', 2 * HOUR],
    ]));

  it('moves more jobs than one page has', async () => {
    const waits = Object.fromEntries(Array.from({ length: 620 }, (_, i) => [`job ${i}`, YEAR + i]));
    const moved = await limit(waits, HOUR);
    expect(moved.map(([key]) => key)).toEqual(Object.keys(waits));
    expect(moved.at(-1)![1]).toBe(HOUR + 619);
  });

  it('lists no jobs while the queue is empty', async () => {
    const clock = new ManualClock();
    const jobs = new ListedJobs(clock);
    await limitDelays(jobs, QUEUE, clock.now(), HOUR);
    expect(jobs.lists).toBe(0);
  });
});
