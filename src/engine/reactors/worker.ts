import type { Job } from '../../kernel/jobs.js';
import { AsyncSignal } from '../async-signal.js';
import type { AnyJobHandler, JobHandler, Reschedule } from '../registry.js';
import { type Failure, Retrier } from '../retrier.js';
import { limitDelays } from './job-delays.js';
import { JobRunner, type JobTools } from './job-runner.js';

/** Maximum delay between two polls of a queue with jobs. */
const MAX_POLL_MS = 1_000;
/** The same for a queue without jobs: the store notifies of the next job. */
const MAX_EMPTY_POLL_MS = 5_000;
/** Minimum delay, used when a due job cannot be claimed: the store's clock may be slower than this process's clock. */
const MIN_POLL_MS = 20;

/** Interval between two searches for jobs that are due too late. */
const DELAY_CHECK_MS = 600_000;

/** Processes one queue, with as many concurrent jobs as its handler allows. */
export class Worker {
  private readonly running = new Set<Promise<void>>();
  private readonly wakeUp: AsyncSignal;
  private readonly retrier: Retrier;
  private readonly jobRunner: JobRunner;
  private delaysCheckedAt = -Infinity;

  constructor(
    private readonly handler: AnyJobHandler,
    private readonly tools: JobTools,
  ) {
    this.wakeUp = new AsyncSignal(tools.clock);
    this.retrier = new Retrier(tools.clock, tools.random, { kind: 'job', name: handler.queue.name });
    this.jobRunner = new JobRunner(tools, this.retrier, handler.leaseMs);
  }

  get queue(): string {
    return this.handler.queue.name;
  }

  get busy(): number {
    return this.running.size;
  }

  get failing(): Failure | null {
    return this.retrier.failing;
  }

  /** Runs until the signal aborts, and then waits for the running jobs. */
  async run(signal: AbortSignal): Promise<void> {
    const wake = () => this.wakeUp.notify();
    const unsubscribe = this.tools.jobs.onEnqueued((queues) => {
      if (queues?.includes(this.queue) ?? true) wake();
    });
    signal.addEventListener('abort', wake, { once: true });
    try {
      await this.retrier.run(() => this.work(signal), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
      await Promise.all(this.running);
    }
  }

  private async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.limitDelays();
      const pollDelay = this.countFree() === 0 ? MAX_POLL_MS : await this.readPollDelay();
      if (pollDelay > 0) await this.wakeUp.wait(pollDelay);
      else if (!(await this.claim(signal))) await this.wakeUp.wait(MIN_POLL_MS);
    }
  }

  /** Moves jobs that a clock dated too late; the clock of the machine may be set back at any time. */
  private async limitDelays(): Promise<void> {
    const { maxDelayMs } = this.handler;
    const { clock, jobs } = this.tools;
    if (maxDelayMs === undefined || clock.monotonic() - this.delaysCheckedAt < DELAY_CHECK_MS) return;
    this.delaysCheckedAt = clock.monotonic();
    await limitDelays(jobs, this.queue, clock.now(), maxDelayMs);
  }

  private countFree(): number {
    return this.handler.concurrency - this.running.size;
  }

  private async readPollDelay(): Promise<number> {
    const { clock, jobs } = this.tools;
    const due = await jobs.findNextDue(this.queue);
    if (due === null) return clock.computePollDelay(MAX_EMPTY_POLL_MS);
    return Math.min(clock.computePollDelay(MAX_POLL_MS), Date.parse(due) - clock.now());
  }

  private async claim(signal: AbortSignal): Promise<boolean> {
    const claimed = await this.jobRunner.claim(this.queue, this.countFree());
    for (const job of claimed) this.start(job, signal);
    return claimed.length > 0;
  }

  private start(job: Job, signal: AbortSignal): void {
    const ended = this.jobRunner
      .run(job, () => runHandler(this.handler, job), signal)
      .finally(() => {
        this.running.delete(ended);
        this.wakeUp.notify();
      });
    this.running.add(ended);
  }
}

/** Stores the data of a reschedule in the version of the queue. */
async function runHandler<D extends object>(handler: JobHandler<D>, job: Job): Promise<void | Reschedule<D>> {
  const reschedule = await handler.run(handler.queue.readJob(job));
  if (reschedule?.data === undefined) return reschedule;
  return { ...reschedule, data: handler.queue.toStoredData(reschedule.data) };
}
