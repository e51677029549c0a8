import type { Collection, Filter } from 'mongodb';
import type { JobStatus, QueueSize } from '../../kernel/jobs.js';
import { READ_WITHIN } from './connections.js';
import { being, type JobRow } from './job-rows.js';

/** The limit of each count. */
const MAX_COUNTED = 10_000;

/** Counts along an index up to MAX_COUNTED, so that a large backlog costs no more than a small one. */
export async function sizeOf(jobs: Collection<JobRow>, queue: string, now: string): Promise<QueueSize> {
  const of = (status: JobStatus): Filter<JobRow> => ({ queue: { $eq: queue }, ...being(status, now) });
  const count = (which: Filter<JobRow>) => jobs.countDocuments(which, { limit: MAX_COUNTED, ...READ_WITHIN });
  const [waiting, due, running, parked, oldest] = await Promise.all([
    count(of('waiting')),
    count({ ...of('waiting'), due: { $lte: now } }),
    count(of('running')),
    count(of('parked')),
    jobs.findOne(of('waiting'), { sort: { due: 1 }, projection: { due: 1 }, ...READ_WITHIN }),
  ]);
  return { queue, waiting, due, running, parked, oldestDue: oldest?.due ?? null };
}
