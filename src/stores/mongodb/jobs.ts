import type { Collection, Db, Filter, UpdateFilter } from 'mongodb';
import { iso } from '../../kernel/clock.js';
import {
  Jobs,
  type ClaimOptions,
  type Job,
  type JobEntry,
  type KeptJob,
  type ListJobs,
  type NewJob,
  type QueueSize,
} from '../../kernel/jobs.js';
import { READ_WITHIN } from './connections.js';
import type { Doorbell } from './doorbell.js';
import { duplicatesOf, reach } from './failures.js';
import { claimed } from './job-claims.js';
import { being, entryOf, jobOf, NOBODYS, restoredRow, rowOf, type JobRow } from './job-rows.js';
import { sizeOf } from './job-sizes.js';
import type { StoreTime } from './server-time.js';
import { UNORDERED } from './upserts.js';

export class MongoJobs extends Jobs {
  private readonly jobs: Collection<JobRow>;

  constructor(
    db: Db,
    private readonly bell: Doorbell,
    private readonly time: StoreTime,
  ) {
    super();
    this.jobs = db.collection('jobs');
  }

  async put(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const there = await reach(() => duplicatesOf(() => this.jobs.insertMany(jobs.map(rowOf), UNORDERED)));
    if (there.length < jobs.length) this.bell.ring();
  }

  async claim(queue: string, options: ClaimOptions): Promise<Job[]> {
    return (await reach(() => claimed(this.jobs, this.time, queue, options))).map(jobOf);
  }

  async extend(job: Job, leaseMs: number): Promise<boolean> {
    const now = await this.time.now();
    return this.change(ours(job), { $set: { lease: iso(now + leaseMs) } });
  }

  async done(job: Job): Promise<boolean> {
    return (await reach(() => this.jobs.deleteOne(ours(job)))).deletedCount > 0;
  }

  retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.change(ours(job), { $set: { due, error, ...NOBODYS }, $inc: { failures: 1 } });
  }

  again(job: Job, due: string, why: string): Promise<boolean> {
    return this.change(ours(job), { $set: { due, error: why, failures: 0, ...NOBODYS } });
  }

  park(job: Job, error: string): Promise<boolean> {
    return this.change(ours(job), { $set: { parked: true, error, ...NOBODYS }, $inc: { failures: 1 } });
  }

  async nextDue(queue: string): Promise<string | null> {
    const open = { queue: { $eq: queue }, parked: { $eq: false } };
    const [free, leased] = await reach(() =>
      Promise.all([
        this.jobs.findOne({ ...open, lease: { $eq: NOBODYS.lease } }, { sort: { due: 1 }, ...READ_WITHIN }),
        this.jobs.findOne({ ...open, lease: { $gt: NOBODYS.lease } }, { sort: { lease: 1 }, ...READ_WITHIN }),
      ]),
    );
    const times = [free?.due, leased?.lease].filter((time) => time !== undefined);
    return times.sort()[0] ?? null;
  }

  async list({ queue, status, after, limit }: ListJobs): Promise<JobEntry[]> {
    const now = await this.now();
    const conditions: Filter<JobRow>[] = [
      queue === undefined ? {} : { queue: { $eq: queue } },
      status === undefined ? {} : being(status, now),
      after === undefined ? {} : { $or: [{ due: { $gt: after.due } }, { due: { $eq: after.due }, _id: { $gt: after.key } }] },
    ];
    const options = { sort: { due: 1, _id: 1 }, limit, batchSize: limit, ...READ_WITHIN } as const;
    const rows = await reach(() => this.jobs.find({ $and: conditions }, options).toArray());
    return rows.map((row) => entryOf(row, now));
  }

  async find(key: string): Promise<JobEntry | null> {
    const now = await this.now();
    const row = await reach(() => this.jobs.findOne({ _id: { $eq: key } }));
    return row && entryOf(row, now);
  }

  async release(key: string, due: string): Promise<boolean> {
    const change = { $set: { due, parked: false, failures: 0, ...NOBODYS } };
    const released = await this.change(free(key, await this.now()), change);
    if (released) this.bell.ring();
    return released;
  }

  async cancel(key: string): Promise<boolean> {
    const now = await this.now();
    return (await reach(() => this.jobs.deleteOne(free(key, now)))).deletedCount > 0;
  }

  async sizes(): Promise<QueueSize[]> {
    const now = await this.now();
    const queues = (await reach(() => this.jobs.distinct('queue', {}, READ_WITHIN))).sort();
    const sizes: QueueSize[] = [];
    for (const queue of queues) sizes.push(await reach(() => sizeOf(this.jobs, queue, now)));
    // The last job of a queue may have completed in the meantime.
    return sizes.filter(({ waiting, running, parked }) => waiting + running + parked > 0);
  }

  async restore(jobs: readonly KeptJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await reach(() => duplicatesOf(() => this.jobs.insertMany(jobs.map(restoredRow), UNORDERED)));
    this.bell.ring();
  }

  onPut(listener: () => void): () => void {
    return this.bell.listen(listener);
  }

  private async change(which: Filter<JobRow>, update: UpdateFilter<JobRow>): Promise<boolean> {
    return (await reach(() => this.jobs.updateOne(which, update))).matchedCount > 0;
  }

  private async now(): Promise<string> {
    return iso(await this.time.now());
  }
}

/** Returns the filter for a job whose current run is this one, while the run has reported no outcome. */
function ours({ key, id, attempt }: Job): Filter<JobRow> {
  return { _id: { $eq: key }, id: { $eq: id }, attempt: { $eq: attempt }, holder: { $ne: null } };
}

function free(key: string, now: string): Filter<JobRow> {
  return { _id: { $eq: key }, lease: { $lte: now } };
}
