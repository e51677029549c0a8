import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../../kernel/event-store.js';
import type { Queries, QueryCall, QueryName } from './queries.js';
import type { Answer, ReadingStart } from './thread.js';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Runs queries in a separate thread, one after another. The thread starts with the first query. */
export class ReadThread {
  private thread: Worker | null = null;
  private readonly waiting: Waiting[] = [];
  private closed: string | null = null;

  constructor(
    private readonly file: string,
    private readonly onFatal: (error: Error) => void,
  ) {}

  /** @throws StoreUnavailable */
  run<N extends QueryName>(...call: QueryCall<N>): Promise<ReturnType<Queries[N]>> {
    return new Promise((resolve, reject) => {
      if (this.closed !== null) return reject(new StoreUnavailable(this.closed, false));
      const thread = (this.thread ??= this.start());
      if (this.waiting.length === 0) thread.ref();
      this.waiting.push({ resolve, reject });
      thread.postMessage(call);
    });
  }

  /** Completes all earlier queries, then ends the thread. */
  async close(): Promise<void> {
    this.closed ??= 'the store is closed';
    const { thread } = this;
    if (thread === null) return;
    this.thread = null;
    const exited = new Promise((resolve) => thread.once('exit', resolve));
    thread.ref();
    thread.postMessage('close');
    await exited;
  }

  private start(): Worker {
    const workerData: ReadingStart = { file: this.file };
    const thread = new Worker(new URL('./thread.js', import.meta.url), { workerData });
    thread.on('message', (answer: Answer) => this.answered(answer));
    thread.on('error', (error: Error) => this.broken(error));
    return thread;
  }

  private answered(answer: Answer): void {
    const { resolve, reject } = this.waiting.shift()!;
    if ('value' in answer) resolve(answer.value as never);
    else reject(answer.unavailable || answer.final ? new StoreUnavailable(answer.failure, false) : new Error(answer.failure));
    if ('final' in answer && answer.final) this.onFatal(new Error(answer.failure));
    if (this.waiting.length === 0) this.thread?.unref();
  }

  private broken(cause: Error): void {
    this.closed ??= 'the store has failed';
    this.thread = null;
    for (const { reject } of this.waiting.splice(0)) reject(new StoreUnavailable('the read failed', false, { cause }));
    this.onFatal(cause);
  }
}
