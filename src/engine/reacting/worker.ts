import type { Job } from '../../kernel/jobs.js';
import { Bell } from '../bell.js';
import { Patience, type Failure } from '../patience.js';
import type { JobHandler } from '../registry.js';
import { JobRuns, type JobTools } from './job-runs.js';

/** Maximum delay between two polls of the queue. */
const NAP_MS = 1_000;
/** Minimum delay, used when a due job cannot be claimed: the store's clock may lag behind this process's clock. */
const BLINK_MS = 20;

/** Processes one queue, with as many concurrent jobs as its handler allows. */
export class Worker {
  private readonly running = new Set<Promise<void>>();
  private readonly bell: Bell;
  private readonly patience: Patience;
  private readonly runs: JobRuns;

  constructor(
    private readonly handler: JobHandler,
    private readonly tools: JobTools,
  ) {
    this.bell = new Bell(tools.clock);
    this.patience = new Patience(tools.clock, tools.random);
    this.runs = new JobRuns(tools, this.patience, handler.leaseMs);
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

  /** Runs until the signal aborts, and then waits for the running jobs. */
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
    const claimed = await this.runs.claim(this.queue, this.free());
    for (const job of claimed) this.begin(job, signal);
    return claimed.length > 0;
  }

  private begin(job: Job, signal: AbortSignal): void {
    const ended = this.runs
      .run(job, () => this.handler.run(job), signal)
      .finally(() => {
        this.running.delete(ended);
        this.bell.ring();
      });
    this.running.add(ended);
  }
}
