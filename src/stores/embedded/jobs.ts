import { iso, type Clock } from '../../kernel/clock.js';
import { Jobs, type ClaimOptions, type Job, type NewJob } from '../../kernel/jobs.js';
import type { CommitQueue } from './commit-queue.js';
import type { Doorbell } from './doorbell.js';
import type { Reader } from './reader.js';
import { isGone } from './holder.js';

/** Under lease, the end of the lease counts; the lease of a process that is gone has ended. */
const NEXT_FREE = 'select min(due) as due from jobs where queue = ? and parked = 0 and lease is null';
const LEASES = 'select holder, min(lease) as ends, min(due) as due from jobs where queue = ? and lease is not null group by holder';

export class EmbeddedJobs extends Jobs {
  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly bell: Doorbell,
    private readonly clock: Clock,
  ) {
    super();
  }

  async put(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const rows = jobs.map(({ key, queue, due, data }) => ({ key, queue, due, data: JSON.stringify(data) }));
    if (await this.queue.run('put', rows)) this.bell.ring();
  }

  async claim(queue: string, options: ClaimOptions): Promise<Job[]> {
    const rows = await this.queue.run('claim', queue, options, this.clock.now());
    return rows.map(({ key, due, data, attempt }) => ({ key, queue, due, data: JSON.parse(data) as object, attempt }));
  }

  extend({ key, attempt }: Job, leaseMs: number): Promise<boolean> {
    return this.queue.run('extend', { key, attempt }, iso(this.clock.now() + leaseMs));
  }

  done({ key, attempt }: Job): Promise<boolean> {
    return this.queue.run('done', { key, attempt });
  }

  retry({ key, attempt }: Job, due: string, error: string): Promise<boolean> {
    return this.queue.run('retry', { key, attempt }, due, error);
  }

  park({ key, attempt }: Job, error: string): Promise<boolean> {
    return this.queue.run('park', { key, attempt }, error);
  }

  nextDue(queue: string): Promise<string | null> {
    return this.reader.read((sql) => {
      const free = sql.get<{ due: string | null }>(NEXT_FREE, queue)!.due;
      const leased = sql.all<{ holder: string; ends: string; due: string }>(LEASES, queue);
      const times = [free, ...leased.map(({ holder, ends, due }) => (isGone(holder) ? due : ends))];
      return times.filter((time) => time !== null).sort()[0] ?? null;
    });
  }

  onPut(listener: () => void): () => void {
    return this.bell.listen(listener);
  }
}
