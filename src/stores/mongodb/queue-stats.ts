import type { Collection, Filter } from 'mongodb';
import type { JobStatus, QueueStats } from '../../kernel/jobs.js';
import { READ_TIMEOUT } from './connections.js';
import { type JobRow, toStatusFilter } from './job-rows.js';

const MAX_COUNTED = 10_000;

/** Counts along an index up to MAX_COUNTED, so that a large backlog costs no more than a small one. */
export async function readQueueStats(jobs: Collection<JobRow>, queue: string, now: string): Promise<QueueStats> {
  const toFilter = (status: JobStatus): Filter<JobRow> => ({ queue: { $eq: queue }, ...toStatusFilter(status, now) });
  const count = (which: Filter<JobRow>) => jobs.countDocuments(which, { limit: MAX_COUNTED, ...READ_TIMEOUT });
  const [waiting, due, running, parked, oldest] = await Promise.all([
    count(toFilter('waiting')),
    count({ ...toFilter('waiting'), due: { $lte: now } }),
    count(toFilter('running')),
    count(toFilter('parked')),
    jobs.findOne(toFilter('waiting'), { sort: { due: 1 }, projection: { due: 1 }, ...READ_TIMEOUT }),
  ]);
  return { queue, waiting, due, running, parked, oldestDue: oldest?.due ?? null };
}
