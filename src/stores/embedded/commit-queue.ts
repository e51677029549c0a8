import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Call, OperationName, Operations, Outcome } from './writer/operations.js';
import type { WriterData, WriterMessage } from './writer/thread.js';
import { WakeSignal } from './writer/wake-signal.js';

interface PendingCall {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sends calls to the writer thread: one message per turn of the event loop. The thread replies once per commit, in
 * the same order.
 */
export class CommitQueue {
  private unsent: Call[] = [];
  private readonly pending: PendingCall[] = [];
  /** The reason why the queue accepts no more calls. */
  private closedReason: string | null = null;
  private readonly exited: Promise<void>;

  private constructor(
    private readonly thread: Worker,
    private readonly wakeSignal: WakeSignal,
    private readonly onFatal: (error: Error) => void,
  ) {
    this.exited = new Promise((resolve) => thread.once('exit', () => resolve()));
    thread.on('message', (outcomes: readonly Outcome[]) => this.settle(outcomes));
    thread.on('error', (error: Error) => this.fail(error));
    thread.unref();
  }

  static async open(start: Omit<WriterData, 'wake'>, onFatal: (error: Error) => void): Promise<CommitQueue> {
    const wake = new WakeSignal();
    const workerData: WriterData = { ...start, wake: wake.shared };
    const thread = new Worker(new URL('./writer/thread.js', import.meta.url), { workerData });
    await new Promise<void>((resolve, reject) => thread.once('message', () => resolve()).once('error', reject));
    thread.removeAllListeners('error');
    return new CommitQueue(thread, wake, onFatal);
  }

  /** Runs an operation; its writes are durable before it resolves. @throws StoreUnavailable */
  run<N extends OperationName>(name: N, ...args: Parameters<Operations[N]>): Promise<ReturnType<Operations[N]>> {
    return new Promise((resolve, reject) => {
      if (this.closedReason !== null) return reject(new StoreUnavailable(this.closedReason, false));
      if (this.pending.length === 0) this.thread.ref();
      if (this.unsent.length === 0) setImmediate(() => this.send());
      this.unsent.push([name, ...args] as unknown as Call);
      this.pending.push({ resolve, reject });
    });
  }

  /** Completes all earlier calls, then ends the thread. */
  async close(): Promise<void> {
    if (this.closedReason === null) {
      this.send();
      this.post('close');
      this.closedReason = 'the store is closed';
      this.thread.ref();
    }
    await this.exited;
  }

  private send(): void {
    if (this.unsent.length > 0) this.post(this.unsent);
    this.unsent = [];
  }

  private post(message: WriterMessage): void {
    this.thread.postMessage(message);
    this.wakeSignal.notify();
  }

  private settle(outcomes: readonly Outcome[]): void {
    for (const [i, { resolve, reject }] of this.pending.splice(0, outcomes.length).entries()) {
      const outcome = outcomes[i]!;
      if ('value' in outcome) resolve(outcome.value as never);
      else reject(outcome.unavailable ? new StoreUnavailable(outcome.failure, false) : new Error(outcome.failure));
    }
    if (this.pending.length === 0 && this.closedReason === null) this.thread.unref();
  }

  /** The disk or the thread failed: the outcome of running calls is unknown, and the queue accepts no more calls. */
  private fail(cause: Error): void {
    this.closedReason = 'the store has failed';
    const unknown = new StoreUnavailable('the store failed during the write', true, { cause });
    for (const { reject } of this.pending.splice(0)) reject(unknown);
    this.onFatal(cause);
  }
}
