import { backoff } from '../../kernel/backoff.js';
import { iso, type Clock, type Random } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Job, Jobs } from '../../kernel/jobs.js';
import { Bell } from '../bell.js';
import { messageOf, Patience, type Failure } from '../patience.js';
import { Parked, type JobHandler } from '../registry.js';

const LEASE_MS = 15_000;
const MAX_FAILURES = 10;
const RETRY_BASE_MS = 1_000;
const RETRY_CAP_MS = 600_000;
/** Longest nap between two looks at the queue. */
const NAP_MS = 1_000;
/** Shortest one, when what should be due cannot be claimed: the store's clock may be behind ours. */
const BLINK_MS = 20;

interface WorkerTools {
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: Random;
  readonly holder: string;
}

/** Works on one queue: as many jobs at once as its handler allows, each under a lease, each outcome fenced by the put and the attempt. */
export class Worker {
  private readonly running = new Set<Promise<void>>();
  private readonly bell: Bell;
  private readonly leaseMs: number;
  private readonly patience: Patience;

  constructor(
    private readonly handler: JobHandler,
    private readonly tools: WorkerTools,
  ) {
    this.bell = new Bell(tools.clock);
    this.leaseMs = handler.leaseMs ?? LEASE_MS;
    this.patience = new Patience(tools.clock, tools.random);
  }

  get queue(): string {
    return this.handler.queue;
  }

  get busy(): number {
    return this.running.size;
  }

  get failing(): Failure | null {
    return this.patience.failing;
  }

  /** Until the signal aborts, and then until what is running has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const ring = () => this.bell.ring();
    const unsubscribe = this.tools.jobs.onPut((queues) => {
      if (queues?.includes(this.queue) ?? true) ring();
    });
    signal.addEventListener('abort', ring, { once: true });
    try {
      await this.patience.persist(() => this.work(signal), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
      await Promise.all(this.running);
    }
  }

  private async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const nap = this.free() === 0 ? NAP_MS : await this.nap();
      if (nap > 0) await this.bell.wait(nap);
      else if (!(await this.claim(signal))) await this.bell.wait(BLINK_MS);
    }
  }

  private free(): number {
    return this.handler.concurrency - this.running.size;
  }

  private async nap(): Promise<number> {
    const due = await this.tools.jobs.nextDue(this.queue);
    return due === null ? NAP_MS : Math.min(NAP_MS, Date.parse(due) - this.tools.clock.now());
  }

  private async claim(signal: AbortSignal): Promise<boolean> {
    const { jobs, holder } = this.tools;
    const claimed = await jobs.claim(this.queue, { limit: this.free(), leaseMs: this.leaseMs, holder });
    for (const job of claimed) this.begin(job, signal);
    return claimed.length > 0;
  }

  private begin(job: Job, signal: AbortSignal): void {
    const ended = this.runOne(job, signal).finally(() => {
      this.running.delete(ended);
      this.bell.ring();
    });
    this.running.add(ended);
  }

  private async runOne(job: Job, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const keeping = this.keep(job, over.signal);
    const tell = await this.outcome(job);
    over.abort();
    await keeping;
    await this.told(tell, signal);
  }

  /** Runs the job, and says what is to be told to the store. The store ignores it when the job is no longer ours. */
  private async outcome(job: Job): Promise<() => Promise<boolean>> {
    const { jobs } = this.tools;
    try {
      const more = await this.handler.run(job);
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
