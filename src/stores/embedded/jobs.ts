import { iso, type Clock } from '../../kernel/clock.js';
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
import type { CommitQueue } from './commit-queue.js';
import type { Doorbell } from './doorbell.js';
import { isGone } from '../holder.js';
import type { Reader } from './reader.js';
import type { Reading } from './reading/reading.js';
import type { Statements } from './sqlite.js';
import { FREE, type Run } from './writer/jobs.js';

const NEXT_FREE = `select min(due) as due from jobs where queue = ? and ${FREE}`;
const QUEUES_AFTER = 'select distinct queue from jobs where seq > ?';
const LEASES = 'select holder, min(lease) as ends from jobs where queue = ? and lease is not null group by holder';
const NEXT_OF_HOLDER = 'select min(due) as due from jobs where queue = ? and holder = ? and lease is not null';

export class EmbeddedJobs extends Jobs {
  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly reading: Reading,
    private readonly bell: Doorbell,
    private readonly clock: Clock,
  ) {
    super();
  }

  async put(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const rows = jobs.map(({ key, queue, due, data }) => ({ key, queue, due, data: JSON.stringify(data) }));
    const queues = await this.queue.run('put', rows);
    if (queues.length > 0) this.bell.ring(queues);
  }

  async claim(queue: string, options: ClaimOptions): Promise<Job[]> {
    const rows = await this.queue.run('claim', queue, options, this.clock.now());
    return rows.map(({ seq, data, ...row }) => ({ id: `${seq}`, queue, ...row, data: JSON.parse(data) as object }));
  }

  extend(job: Job, leaseMs: number): Promise<boolean> {
    return this.queue.run('extend', runOf(job), iso(this.clock.now() + leaseMs));
  }

  done(job: Job): Promise<boolean> {
    return this.queue.run('done', runOf(job));
  }

  retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.queue.run('retry', runOf(job), due, error);
  }

  again(job: Job, due: string, why: string): Promise<boolean> {
    return this.queue.run('again', runOf(job), due, why);
  }

  park(job: Job, error: string): Promise<boolean> {
    return this.queue.run('park', runOf(job), error);
  }

  /** For a leased job the end of its lease counts; the lease of a dead process has ended. */
  nextDue(queue: string): Promise<string | null> {
    return this.reader.read((sql) => {
      const leased = sql.all<{ holder: string; ends: string }>(LEASES, queue).map(({ holder, ends }) => {
        return isGone(holder) ? sql.get<{ due: string }>(NEXT_OF_HOLDER, queue, holder)!.due : ends;
      });
      const free = sql.get<{ due: string | null }>(NEXT_FREE, queue)!.due;
      return [free, ...leased].filter((time) => time !== null).sort()[0] ?? null;
    });
  }

  list(options: ListJobs): Promise<JobEntry[]> {
    return this.reading.walks.run('jobEntries', options, this.now());
  }

  async find(key: string): Promise<JobEntry | null> {
    return (await this.reading.lists.run('jobEntries', { key, limit: 1 }, this.now()))[0] ?? null;
  }

  async release(key: string, due: string): Promise<boolean> {
    const released = await this.queue.run('release', key, due, this.now());
    if (released) this.bell.ring();
    return released;
  }

  cancel(key: string): Promise<boolean> {
    return this.queue.run('cancel', key, this.now());
  }

  sizes(): Promise<QueueSize[]> {
    return this.reading.walks.run('queueSizes', this.now());
  }

  async restore(jobs: readonly KeptJob[]): Promise<void> {
    await this.queue.run(
      'restoreJobs',
      jobs.map((job) => ({ ...job, data: JSON.stringify(job.data) })),
    );
    this.bell.ring();
  }

  onPut(listener: (queues?: readonly string[]) => void): () => void {
    return this.bell.listen(listener);
  }

  private now(): string {
    return iso(this.clock.now());
  }
}

function runOf({ id, attempt }: Job): Run {
  return { seq: Number(id), attempt };
}

/** Returns the queues of the jobs that were enqueued after this one. */
export function queuesAfter(sql: Statements, seq: number): readonly string[] {
  return sql.all<{ queue: string }>(QUEUES_AFTER, seq).map(({ queue }) => queue);
}
