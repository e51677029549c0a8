import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../../kernel/event-store.js';
import type { Queries, QueryCall, QueryName } from './queries.js';
import type { QueryOutcome, ReadThreadData } from './thread.js';

interface PendingQuery {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Runs queries in a separate thread, one after another. The thread starts with the first query. */
export class ReadThread {
  private thread: Worker | null = null;
  private readonly pending: PendingQuery[] = [];
  private closedReason: string | null = null;

  constructor(
    private readonly file: string,
    private readonly onFatal: (error: Error) => void,
  ) {}

  /** @throws StoreUnavailable */
  run<N extends QueryName>(...call: QueryCall<N>): Promise<ReturnType<Queries[N]>> {
    return new Promise((resolve, reject) => {
      if (this.closedReason !== null) return reject(new StoreUnavailable(this.closedReason, false));
      const thread = (this.thread ??= this.start());
      if (this.pending.length === 0) thread.ref();
      this.pending.push({ resolve, reject });
      thread.postMessage(call);
    });
  }

  /** Completes all earlier queries, then ends the thread. */
  async close(): Promise<void> {
    this.closedReason ??= 'the store is closed';
    const { thread } = this;
    if (thread === null) return;
    this.thread = null;
    const exited = new Promise((resolve) => thread.once('exit', resolve));
    thread.ref();
    thread.postMessage('close');
    await exited;
  }

  private start(): Worker {
    const workerData: ReadThreadData = { file: this.file };
    const thread = new Worker(new URL('./thread.js', import.meta.url), { workerData });
    thread.on('message', (answer: QueryOutcome) => this.settle(answer));
    thread.on('error', (error: Error) => this.fail(error));
    return thread;
  }

  private settle(answer: QueryOutcome): void {
    const { resolve, reject } = this.pending.shift()!;
    if ('value' in answer) resolve(answer.value as never);
    else
      reject(
        answer.unavailable || answer.final ? new StoreUnavailable(answer.failure, false) : new Error(answer.failure),
      );
    if ('final' in answer && answer.final) this.onFatal(new Error(answer.failure));
    if (this.pending.length === 0) this.thread?.unref();
  }

  private fail(cause: Error): void {
    this.closedReason ??= 'the store has failed';
    this.thread = null;
    for (const { reject } of this.pending.splice(0)) reject(new StoreUnavailable('the read failed', false, { cause }));
    this.onFatal(cause);
  }
}
