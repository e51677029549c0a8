import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Call, Name, Operations, Outcome } from './writer/operations.js';
import type { Message, Start } from './writer/thread.js';
import { Wake } from './writer/wake.js';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sends calls to the writer thread: one message per turn of the event loop. The thread replies once per commit, in
 * the same order.
 */
export class CommitQueue {
  private unsent: Call[] = [];
  private readonly waiting: Waiting[] = [];
  /** The reason why the queue accepts no more calls. */
  private closed: string | null = null;
  private readonly exited: Promise<void>;

  private constructor(
    private readonly thread: Worker,
    private readonly wake: Wake,
    private readonly onFatal: (error: Error) => void,
  ) {
    this.exited = new Promise((resolve) => thread.once('exit', () => resolve()));
    thread.on('message', (outcomes: readonly Outcome[]) => this.answered(outcomes));
    thread.on('error', (error: Error) => this.broken(error));
    thread.unref();
  }

  static async open(start: Omit<Start, 'wake'>, onFatal: (error: Error) => void): Promise<CommitQueue> {
    const wake = new Wake();
    const workerData: Start = { ...start, wake: wake.shared };
    const thread = new Worker(new URL('./writer/thread.js', import.meta.url), { workerData });
    await new Promise<void>((resolve, reject) => thread.once('message', () => resolve()).once('error', reject));
    thread.removeAllListeners('error');
    return new CommitQueue(thread, wake, onFatal);
  }

  /** Runs an operation; its writes are durable before it resolves. @throws StoreUnavailable */
  run<N extends Name>(name: N, ...args: Parameters<Operations[N]>): Promise<ReturnType<Operations[N]>> {
    return new Promise((resolve, reject) => {
      if (this.closed !== null) return reject(new StoreUnavailable(this.closed, false));
      if (this.waiting.length === 0) this.thread.ref();
      if (this.unsent.length === 0) setImmediate(() => this.send());
      this.unsent.push([name, ...args] as unknown as Call);
      this.waiting.push({ resolve, reject });
    });
  }

  /** Completes all earlier calls, then ends the thread. */
  async close(): Promise<void> {
    if (this.closed === null) {
      this.send();
      this.say('close');
      this.closed = 'the store is closed';
      this.thread.ref();
    }
    await this.exited;
  }

  private send(): void {
    if (this.unsent.length > 0) this.say(this.unsent);
    this.unsent = [];
  }

  private say(message: Message): void {
    this.thread.postMessage(message);
    this.wake.ring();
  }

  private answered(outcomes: readonly Outcome[]): void {
    for (const [i, { resolve, reject }] of this.waiting.splice(0, outcomes.length).entries()) {
      const outcome = outcomes[i]!;
      if ('value' in outcome) resolve(outcome.value as never);
      else reject(outcome.unavailable ? new StoreUnavailable(outcome.failure, false) : new Error(outcome.failure));
    }
    if (this.waiting.length === 0 && this.closed === null) this.thread.unref();
  }

  /** The disk or the thread failed: the outcome of running calls is unknown, and the queue accepts no more calls. */
  private broken(cause: Error): void {
    this.closed = 'the store has failed';
    const unknown = new StoreUnavailable('the store failed during the write', true, { cause });
    for (const { reject } of this.waiting.splice(0)) reject(unknown);
    this.onFatal(cause);
  }
}
