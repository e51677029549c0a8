import {
  type BackgroundWork,
  reportAndIgnore,
  reportAndReturn,
  reportFailure,
  reportParked,
  reportRecovery,
} from '../../kernel/background-errors.js';
import { drawBackoff } from '../../kernel/backoff.js';
import { type Clock, type Random, toIso } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Job, Jobs } from '../../kernel/jobs.js';
import { ParkJob, type Reschedule } from '../registry.js';
import { describeError, type Retrier } from '../retrier.js';

const LEASE_MS = 15_000;
const MAX_FAILURES = 10;
const RETRY_BASE_MS = 1_000;
const RETRY_CAP_MS = 600_000;
/** A string reason avoids creating an Error with a stack for each abort. */
const ENDED = 'ended';
const REPORT = { kind: 'loop', name: 'job reports' } as const;

export interface JobTools {
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: Random;
  readonly processId: string;
}

/**
 * Claims and runs jobs. Each run renews its lease until it ends, and each outcome is fenced by the enqueued version and
 * the attempt of the job.
 */
export class JobRunner {
  constructor(
    private readonly tools: JobTools,
    private readonly retrier: Retrier,
    private readonly leaseMs = LEASE_MS,
  ) {}

  claim(queue: string, limit: number): Promise<Job[]> {
    const { jobs, processId } = this.tools;
    return jobs.claim(queue, { limit, leaseMs: this.leaseMs, holder: processId });
  }

  /** Runs the work and resolves when the outcome is reported. Never rejects. */
  async run(job: Job, work: () => Promise<void | Reschedule<object>>, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const renewing = this.renewLease(job, over.signal);
    const report = await this.execute(job, work);
    over.abort(ENDED);
    await renewing;
    await this.sendReport(report, signal);
  }

  /** Runs the job and returns the report to send. The store ignores the report when another process has the job. */
  private async execute(job: Job, work: () => Promise<void | Reschedule<object>>): Promise<() => Promise<boolean>> {
    const { jobs } = this.tools;
    try {
      const reschedule = await work();
      if (job.failures > 0) reportRecovery(toWork(job));
      if (!reschedule) return () => jobs.complete(job);
      const { at, reason, data } = reschedule;
      return () => jobs.reschedule(job, at, reason, data);
    } catch (error) {
      if (error instanceof ParkJob) {
        if (!error.isReported) reportParked(toWork(job), error);
        return () => jobs.park(job, error.message);
      }
      return this.handleFailure(job, error);
    }
  }

  /**
   * Retries or parks a failed job. An unavailable store is not a failure of the job: the job is retried until the store
   * is back.
   */
  private handleFailure(job: Job, error: unknown): () => Promise<boolean> {
    const { jobs, clock, random } = this.tools;
    const failures = job.failures + 1;
    if (failures >= MAX_FAILURES && !(error instanceof StoreUnavailable)) {
      reportParked(toWork(job), error);
      return () => jobs.park(job, describeError(error));
    }
    reportFailure(toWork(job), error);
    const due = toIso(clock.now() + drawBackoff(failures, random, RETRY_BASE_MS, RETRY_CAP_MS));
    return () => jobs.retry(job, due, describeError(error));
  }

  /** Sends the report, with retries until the process stops; after that the expiry of the lease is enough. */
  private async sendReport(report: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    await (signal.aborted ? report() : this.retrier.run(report, signal)).catch(reportAndIgnore(REPORT));
  }

  private async renewLease(job: Job, over: AbortSignal): Promise<void> {
    const { jobs, clock } = this.tools;
    for (let isHeld = true; isHeld && !over.aborted;) {
      await clock.sleep(this.leaseMs / 3, over);
      if (!over.aborted) isHeld = await jobs.renewLease(job, this.leaseMs).catch(reportAndReturn(toWork(job), true));
    }
  }
}

/** A queue with a colon belongs to one endpoint, and the part after the colon is its id. */
function toWork({ queue, key }: Job): BackgroundWork {
  return { kind: 'job', name: queue.split(':', 1)[0]!, item: key };
}
