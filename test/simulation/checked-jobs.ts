import type { Clock } from '../../src/kernel/clock.js';
import type { ClaimOptions, Job } from '../../src/kernel/jobs.js';
import { type MemoryJob, MemoryJobs } from '../support/memory/jobs.js';
import type { Liveness } from './liveness.js';

interface JobLease {
  readonly attempt: number;
  /** Milliseconds. */
  readonly until: number;
  readonly holder: string;
}

/** Jobs that check that only the holder of a lease renews or ends it, and that no job is leased twice. */
export class CheckedJobs extends MemoryJobs {
  /** The violations found, a sentence each. */
  readonly violations: string[] = [];
  /** The latest lease of each job, by job id. */
  private readonly leases = new Map<string, JobLease>();

  constructor(
    private readonly watch: Clock,
    private readonly liveness: Liveness,
  ) {
    super(watch);
  }

  override async claim(queue: string, options: ClaimOptions): Promise<Job[]> {
    const claimed = await super.claim(queue, options);
    for (const job of claimed) {
      const before = this.leases.get(job.id);
      const isLent = before !== undefined && before.until > this.watch.now() && !this.liveness.hasEnded(before.holder);
      if (isLent) this.violations.push(`${job.key} is leased twice`);
      this.leases.set(job.id, {
        attempt: job.attempt,
        until: this.watch.now() + options.leaseMs,
        holder: options.holder,
      });
    }
    return claimed;
  }

  override async renewLease(job: Job, leaseMs: number): Promise<boolean> {
    return this.checkOutcome(job, await super.renewLease(job, leaseMs), this.watch.now() + leaseMs);
  }

  override async complete(job: Job): Promise<boolean> {
    return this.checkOutcome(job, await super.complete(job), 0);
  }

  override async retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.checkOutcome(job, await super.retry(job, due, error), 0);
  }

  override async reschedule(job: Job, due: string, reason: string, data?: object): Promise<boolean> {
    return this.checkOutcome(job, await super.reschedule(job, due, reason, data), 0);
  }

  override async park(job: Job, error: string): Promise<boolean> {
    return this.checkOutcome(job, await super.park(job, error), 0);
  }

  /** Ends a lease when its holder has ended, as the embedded store does. */
  protected override isFree(entry: MemoryJob): boolean {
    return super.isFree(entry) || (entry.holder !== null && this.liveness.isKnownDead(entry.holder));
  }

  /** Restores the jobs of a copy. */
  restoreCopy(copy: ReadonlyMap<string, MemoryJob>): void {
    this.entries.clear();
    for (const [key, entry] of structuredClone(copy)) this.entries.set(key, entry);
    this.leases.clear();
  }

  private checkOutcome({ id, key, attempt }: Job, taken: boolean, until: number): boolean {
    const { attempt: latest, holder = '' } = this.leases.get(id) ?? {};
    if (taken && latest !== attempt)
      this.violations.push(`${key} is at attempt ${latest} but accepted the outcome of attempt ${attempt}`);
    if (taken) this.leases.set(id, { attempt, until, holder });
    return taken;
  }
}
