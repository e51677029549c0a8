import type { Collection, Condition, Db, Filter, UpdateFilter } from 'mongodb';
import { toIso } from '../../kernel/clock.js';
import {
  type ClaimOptions,
  type Job,
  type JobDetails,
  Jobs,
  type ListJobsOptions,
  type NewJob,
  type QueueStats,
  type StoredJob,
} from '../../kernel/jobs.js';
import type { ChangeNotifier } from './change-notifier.js';
import { READ_TIMEOUT } from './connections.js';
import { findDuplicates, translateOutages } from './failures.js';
import { claimJobs } from './job-claims.js';
import {
  findLatestLease,
  type JobRow,
  NO_LEASE,
  toFreeFilter,
  toJob,
  toJobDetails,
  toJobRow,
  toRestoredRow,
  toStatusFilter,
} from './job-rows.js';
import { readQueueStats } from './queue-stats.js';
import type { StoreTime } from './server-time.js';
import { UNORDERED } from './upserts.js';

export class MongoJobs extends Jobs {
  private readonly jobs: Collection<JobRow>;

  constructor(
    db: Db,
    private readonly notifier: ChangeNotifier,
    private readonly time: StoreTime,
  ) {
    super();
    this.jobs = db.collection('jobs');
  }

  async enqueue(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const there = await translateOutages(() =>
      findDuplicates(() => this.jobs.insertMany(jobs.map(toJobRow), UNORDERED)),
    );
    const queues = jobs.filter((_, index) => !there.includes(index)).map(({ queue }) => queue);
    if (queues.length > 0) this.notifier.notify([...new Set(queues)]);
  }

  async claim(queue: string, options: ClaimOptions): Promise<Job[]> {
    return (await translateOutages(() => claimJobs(this.jobs, this.time, queue, options))).map(toJob);
  }

  async renewLease(job: Job, leaseMs: number): Promise<boolean> {
    const now = await this.time.now();
    return this.change(toRunFilter(job), { $set: { lease: toIso(now + leaseMs) } });
  }

  async complete(job: Job): Promise<boolean> {
    return (await translateOutages(() => this.jobs.deleteOne(toRunFilter(job)))).deletedCount > 0;
  }

  retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.change(toRunFilter(job), { $set: { due, error, ...NO_LEASE }, $inc: { failures: 1 } });
  }

  reschedule(job: Job, due: string, reason: string, data = job.data): Promise<boolean> {
    const changed = { due, error: reason, data: JSON.stringify(data), failures: 0, ...NO_LEASE };
    return this.change(toRunFilter(job), { $set: changed });
  }

  park(job: Job, error: string): Promise<boolean> {
    return this.change(toRunFilter(job), { $set: { parked: true, error, ...NO_LEASE }, $inc: { failures: 1 } });
  }

  async findNextDue(queue: string): Promise<string | null> {
    const open = { queue: { $eq: queue }, parked: { $eq: false } };
    const latest = findLatestLease(await this.now());
    const findFirst = (lease: Condition<string>, by: 'due' | 'lease') =>
      this.jobs.findOne({ ...open, lease }, { sort: { [by]: 1 }, ...READ_TIMEOUT });
    const [free, leased, ahead] = await translateOutages(() =>
      Promise.all([
        findFirst({ $eq: NO_LEASE.lease }, 'due'),
        findFirst({ $gt: NO_LEASE.lease, $lte: latest }, 'lease'),
        findFirst({ $gt: latest }, 'lease'),
      ]),
    );
    const times = [free?.due, leased?.lease, ahead?.due].filter((time) => time !== undefined);
    return times.sort()[0] ?? null;
  }

  async list({ queue, status, after, limit }: ListJobsOptions): Promise<JobDetails[]> {
    const now = await this.now();
    const conditions: Filter<JobRow>[] = [
      queue === undefined ? {} : { queue: { $eq: queue } },
      status === undefined ? {} : toStatusFilter(status, now),
      after === undefined
        ? {}
        : { $or: [{ due: { $gt: after.due } }, { due: { $eq: after.due }, _id: { $gt: after.key } }] },
    ];
    const options = { sort: { due: 1, _id: 1 }, limit, batchSize: limit, ...READ_TIMEOUT } as const;
    const rows = await translateOutages(() => this.jobs.find({ $and: conditions }, options).toArray());
    return rows.map((row) => toJobDetails(row, now));
  }

  async find(key: string): Promise<JobDetails | null> {
    const now = await this.now();
    const row = await translateOutages(() => this.jobs.findOne({ _id: { $eq: key } }));
    return row && toJobDetails(row, now);
  }

  async release(key: string, due: string): Promise<boolean> {
    const change = { $set: { due, parked: false, failures: 0, ...NO_LEASE } };
    const released = await this.change(toFreeFilterOf(key, await this.now()), change);
    if (released) this.notifier.notify();
    return released;
  }

  async cancel(key: string): Promise<boolean> {
    const now = await this.now();
    return (await translateOutages(() => this.jobs.deleteOne(toFreeFilterOf(key, now)))).deletedCount > 0;
  }

  async readQueueStats(queues?: readonly string[]): Promise<QueueStats[]> {
    const now = await this.now();
    const names = queues ?? (await translateOutages(() => this.jobs.distinct('queue', {}, READ_TIMEOUT)));
    const sizes: QueueStats[] = [];
    for (const queue of names.toSorted())
      sizes.push(await translateOutages(() => readQueueStats(this.jobs, queue, now)));
    // The last job of a queue may have completed in the meantime.
    return sizes.filter(({ waiting, running, parked }) => waiting + running + parked > 0);
  }

  async restore(jobs: readonly StoredJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await translateOutages(() => findDuplicates(() => this.jobs.insertMany(jobs.map(toRestoredRow), UNORDERED)));
    this.notifier.notify();
  }

  onEnqueued(listener: (queues?: readonly string[]) => void): () => void {
    return this.notifier.listen(listener);
  }

  private async change(which: Filter<JobRow>, update: UpdateFilter<JobRow>): Promise<boolean> {
    return (await translateOutages(() => this.jobs.updateOne(which, update))).matchedCount > 0;
  }

  private async now(): Promise<string> {
    return toIso(await this.time.now());
  }
}

/** Returns the filter for a job whose current run is this one, while the run has reported no outcome. */
function toRunFilter({ key, id, attempt }: Job): Filter<JobRow> {
  return { _id: { $eq: key }, id: { $eq: id }, attempt: { $eq: attempt }, holder: { $ne: null } };
}

function toFreeFilterOf(key: string, now: string): Filter<JobRow> {
  return { _id: { $eq: key }, ...toFreeFilter(now) };
}
