import { PriorityQueue } from './queue.js';

/** A task; returns `false` when it did nothing. */
type Task = () => void | false;

/**
 * Simulated time. All waiting tasks are in one queue. The timeline runs one task, lets all resolved promises continue,
 * and
 * then runs the next task.
 */
export class Timeline {
  /** Milliseconds since the start of the run. */
  now = 0;
  protected readonly queue = new PriorityQueue<{ readonly at: number; readonly happen: Task }>();

  /** Runs a task after `ms` milliseconds. */
  after(ms: number, happen: Task): void {
    this.queue.push({ at: this.now + Math.max(0, ms), happen });
  }

  /** Runs all tasks that are due within `ms`. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    await settlePromises();
    while (this.queue.first !== undefined && this.queue.first.at <= end) await this.runNext();
    this.now = end;
  }

  protected async runNext(): Promise<void> {
    const { at, happen } = this.queue.shift()!;
    this.now = Math.max(this.now, at);
    if (happen() !== false) await settlePromises();
  }
}

/** A timeline that advances as soon as a task waits. */
export class EagerTimeline extends Timeline {
  private passing = false;

  override after(ms: number, happen: Task): void {
    super.after(ms, happen);
    if (!this.passing) void this.passAll();
  }

  private async passAll(): Promise<void> {
    this.passing = true;
    await settlePromises();
    while (this.queue.first !== undefined) await this.runNext();
    this.passing = false;
  }
}

/** Resolves when all resolved promises have continued. */
function settlePromises(): Promise<void> {
  return new Promise(setImmediate);
}
