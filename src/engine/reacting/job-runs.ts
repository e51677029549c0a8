import { backoff } from '../../kernel/backoff.js';
import { iso, type Clock, type Random } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Job, Jobs } from '../../kernel/jobs.js';
import { messageOf, type Patience } from '../patience.js';
import { Parked, type Again } from '../registry.js';

const LEASE_MS = 15_000;
const MAX_FAILURES = 10;
const RETRY_BASE_MS = 1_000;
const RETRY_CAP_MS = 600_000;

export interface JobTools {
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: Random;
  readonly holder: string;
}

/**
 * Claims and runs jobs. Each run renews its lease until it ends, and each outcome is fenced by the enqueued version and
 * the attempt of the job.
 */
export class JobRuns {
  constructor(
    private readonly tools: JobTools,
    private readonly patience: Patience,
    private readonly leaseMs = LEASE_MS,
  ) {}

  claim(queue: string, limit: number): Promise<Job[]> {
    const { jobs, holder } = this.tools;
    return jobs.claim(queue, { limit, leaseMs: this.leaseMs, holder });
  }

  /** Runs the work and resolves when the outcome is reported. Never rejects. */
  async run(job: Job, work: () => Promise<void | Again>, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const keeping = this.keep(job, over.signal);
    const tell = await this.outcome(job, work);
    over.abort();
    await keeping;
    await this.told(tell, signal);
  }

  /** Runs the job and returns the report to send. The store ignores the report when another process has the job. */
  private async outcome(job: Job, work: () => Promise<void | Again>): Promise<() => Promise<boolean>> {
    const { jobs } = this.tools;
    try {
      const more = await work();
      return more ? () => jobs.again(job, more.again, more.why) : () => jobs.done(job);
    } catch (error) {
      if (error instanceof Parked) return () => jobs.park(job, error.message);
      return this.failed(job, error);
    }
  }

  /**
   * Retries or parks a failed job. An unavailable store is not a failure of the job: the job is retried until the store
   * is back.
   */
  private failed(job: Job, error: unknown): () => Promise<boolean> {
    const { jobs, clock, random } = this.tools;
    const failures = job.failures + 1;
    if (failures >= MAX_FAILURES && !(error instanceof StoreUnavailable)) return () => jobs.park(job, messageOf(error));
    const due = iso(clock.now() + backoff(failures, random, RETRY_BASE_MS, RETRY_CAP_MS));
    return () => jobs.retry(job, due, messageOf(error));
  }

  /** Sends the report, with retries until the process stops; after that the expiry of the lease is enough. */
  private async told(tell: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    await (signal.aborted ? tell() : this.patience.persist(tell, signal)).catch(() => undefined);
  }

  private async keep(job: Job, over: AbortSignal): Promise<void> {
    const { jobs, clock } = this.tools;
    for (let ours = true; ours && !over.aborted;) {
      await clock.sleep(this.leaseMs / 3, over);
      if (!over.aborted) ours = await jobs.extend(job, this.leaseMs).catch(() => true);
    }
  }
}
