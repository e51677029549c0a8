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

/** Claims jobs and runs them: each under a lease that is kept for as long as the run takes, each outcome fenced by the put and the attempt. */
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

  /** Resolves when the outcome is told. Never rejects. */
  async run(job: Job, work: () => Promise<void | Again>, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const keeping = this.keep(job, over.signal);
    const tell = await this.outcome(job, work);
    over.abort();
    await keeping;
    await this.told(tell, signal);
  }

  /** Runs the job, and says what is to be told to the store. The store ignores it when the job is no longer ours. */
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

  /** A store that is away is no fault of the job: the job is retried for as long as that takes. */
  private failed(job: Job, error: unknown): () => Promise<boolean> {
    const { jobs, clock, random } = this.tools;
    const failures = job.failures + 1;
    if (failures >= MAX_FAILURES && !(error instanceof StoreUnavailable)) return () => jobs.park(job, messageOf(error));
    const due = iso(clock.now() + backoff(failures, random, RETRY_BASE_MS, RETRY_CAP_MS));
    return () => jobs.retry(job, due, messageOf(error));
  }

  /** An outcome that cannot be told is told again; once the process stops, the lease's end says enough. */
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
