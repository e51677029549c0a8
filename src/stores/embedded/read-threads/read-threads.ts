import { ReadThread } from './read-thread.js';

/**
 * Runs reads of more than a few rows in two threads, so that they never block the main one. Queries that an index or a
 * limit bounds run in one thread; queries that may scan a table run in the other, where they delay only other scans.
 */
export class ReadThreads {
  readonly bounded: ReadThread;
  readonly scans: ReadThread;

  constructor(file: string, onFatal: (error: Error) => void) {
    this.bounded = new ReadThread(file, onFatal);
    this.scans = new ReadThread(file, onFatal);
  }

  async close(): Promise<void> {
    await Promise.all([this.bounded.close(), this.scans.close()]);
  }
}
