import { type Clock, toIso } from '../../kernel/clock.js';
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
import { isProcessDead } from '../process-id.js';
import type { ChangeNotifier } from './change-notifier.js';
import type { CommitQueue } from './commit-queue.js';
import type { ReadThreads } from './read-threads/read-threads.js';
import type { Reader } from './reader.js';
import type { Statements } from './sqlite.js';
import { FREE, type JobRun } from './writer/jobs.js';

const NEXT_FREE = `select min(due) as due from jobs where queue = ? and ${FREE}`;
const QUEUES_AFTER = 'select distinct queue from jobs where seq > ?';
const LEASES = 'select holder, min(lease) as ends from jobs where queue = ? and lease is not null group by holder';
const NEXT_OF_HOLDER = 'select min(due) as due from jobs where queue = ? and holder = ? and lease is not null';

export class EmbeddedJobs extends Jobs {
  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly readThreads: ReadThreads,
    private readonly notifier: ChangeNotifier,
    private readonly clock: Clock,
  ) {
    super();
  }

  async enqueue(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const rows = jobs.map(({ key, queue, due, data }) => ({ key, queue, due, data: JSON.stringify(data) }));
    const queues = await this.queue.run('enqueue', rows);
    if (queues.length > 0) this.notifier.notify(queues);
  }

  async claim(queue: string, options: ClaimOptions): Promise<Job[]> {
    const rows = await this.queue.run('claim', queue, options, this.clock.now());
    return rows.map(({ seq, data, ...row }) => ({ id: `${seq}`, queue, ...row, data: JSON.parse(data) as object }));
  }

  renewLease(job: Job, leaseMs: number): Promise<boolean> {
    return this.queue.run('renewLease', toJobRun(job), toIso(this.clock.now() + leaseMs));
  }

  complete(job: Job): Promise<boolean> {
    return this.queue.run('complete', toJobRun(job));
  }

  retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.queue.run('retry', toJobRun(job), due, error);
  }

  reschedule(job: Job, due: string, reason: string, data = job.data): Promise<boolean> {
    return this.queue.run('reschedule', toJobRun(job), due, reason, JSON.stringify(data));
  }

  park(job: Job, error: string): Promise<boolean> {
    return this.queue.run('park', toJobRun(job), error);
  }

  /** For a leased job the end of its lease counts; the lease of a dead process has ended. */
  findNextDue(queue: string): Promise<string | null> {
    return this.reader.read((sql) => {
      const leased = sql.all<{ holder: string; ends: string }>(LEASES, queue).map(({ holder, ends }) => {
        return isProcessDead(holder) ? sql.get<{ due: string }>(NEXT_OF_HOLDER, queue, holder)!.due : ends;
      });
      const free = sql.get<{ due: string | null }>(NEXT_FREE, queue)!.due;
      return [free, ...leased].filter((time) => time !== null).sort()[0] ?? null;
    });
  }

  list(options: ListJobsOptions): Promise<JobDetails[]> {
    return this.readThreads.scans.run('listJobs', options, this.now());
  }

  async find(key: string): Promise<JobDetails | null> {
    return (await this.readThreads.bounded.run('listJobs', { key, limit: 1 }, this.now()))[0] ?? null;
  }

  async release(key: string, due: string): Promise<boolean> {
    const released = await this.queue.run('release', key, due, this.now());
    if (released) this.notifier.notify();
    return released;
  }

  cancel(key: string): Promise<boolean> {
    return this.queue.run('cancel', key, this.now());
  }

  readQueueStats(queues?: readonly string[]): Promise<QueueStats[]> {
    const threads = queues === undefined ? this.readThreads.scans : this.readThreads.bounded;
    return threads.run('readQueueStats', queues ?? null, this.now());
  }

  async restore(jobs: readonly StoredJob[]): Promise<void> {
    await this.queue.run(
      'restoreJobs',
      jobs.map((job) => ({ ...job, data: JSON.stringify(job.data) })),
    );
    this.notifier.notify();
  }

  onEnqueued(listener: (queues?: readonly string[]) => void): () => void {
    return this.notifier.listen(listener);
  }

  private now(): string {
    return toIso(this.clock.now());
  }
}

function toJobRun({ id, attempt }: Job): JobRun {
  return { seq: Number(id), attempt };
}

export function findQueuesAfter(sql: Statements, seq: number): readonly string[] {
  return sql.all<{ queue: string }>(QUEUES_AFTER, seq).map(({ queue }) => queue);
}
