import type { Clock } from '../../src/kernel/clock.js';
import type { ClaimOptions, Job } from '../../src/kernel/jobs.js';
import type { Liveness } from './liveness.js';
import { MemoryJobs, type Entry } from '../support/memory/jobs.js';

interface Lent {
  readonly attempt: number;
  /** Milliseconds. */
  readonly until: number;
  readonly holder: string;
}

/** Jobs that look whether anybody gets, keeps or ends one that is another's. */
export class WatchedJobs extends MemoryJobs {
  /** What was found, one sentence each. */
  readonly breaches: string[] = [];
  /** By the id of the put. */
  private readonly lent = new Map<string, Lent>();

  constructor(
    private readonly watch: Clock,
    private readonly liveness: Liveness,
  ) {
    super(watch);
  }

  override async claim(queue: string, options: ClaimOptions): Promise<Job[]> {
    const claimed = await super.claim(queue, options);
    for (const job of claimed) {
      const before = this.lent.get(job.id);
      const isLent = before !== undefined && before.until > this.watch.now() && !this.liveness.hasEnded(before.holder);
      if (isLent) this.breaches.push(`${job.key} is lent twice`);
      this.lent.set(job.id, { attempt: job.attempt, until: this.watch.now() + options.leaseMs, holder: options.holder });
    }
    return claimed;
  }

  override async extend(job: Job, leaseMs: number): Promise<boolean> {
    return this.judged(job, await super.extend(job, leaseMs), this.watch.now() + leaseMs);
  }

  override async done(job: Job): Promise<boolean> {
    return this.judged(job, await super.done(job), 0);
  }

  override async retry(job: Job, due: string, error: string): Promise<boolean> {
    return this.judged(job, await super.retry(job, due, error), 0);
  }

  override async again(job: Job, due: string, why: string): Promise<boolean> {
    return this.judged(job, await super.again(job, due, why), 0);
  }

  override async park(job: Job, error: string): Promise<boolean> {
    return this.judged(job, await super.park(job, error), 0);
  }

  /** As on the embedded store, a lease is over when its holder has ended. */
  protected override isFree(entry: Entry): boolean {
    return super.isFree(entry) || (entry.holder !== null && this.liveness.isGone(entry.holder));
  }

  /** As they were when the copy was made. */
  bringBack(copy: ReadonlyMap<string, Entry>): void {
    this.entries.clear();
    for (const [key, entry] of structuredClone(copy)) this.entries.set(key, entry);
    this.lent.clear();
  }

  private judged({ id, key, attempt }: Job, taken: boolean, until: number): boolean {
    const { attempt: latest, holder = '' } = this.lent.get(id) ?? {};
    if (taken && latest !== attempt) this.breaches.push(`${key} was run for the ${latest} time, and heeded its run ${attempt}`);
    if (taken) this.lent.set(id, { attempt, until, holder });
    return taken;
  }
}
