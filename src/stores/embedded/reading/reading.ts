import { ReadThread } from './read-thread.js';

/**
 * Reads that do not go by a primary key, in two threads, so that they never hold the main one. What is bounded by an index or a limit
 * runs in `lists`; what may look through a table runs in `walks`, where it delays other walks alone.
 */
export class Reading {
  readonly lists: ReadThread;
  readonly walks: ReadThread;

  constructor(file: string, onFatal: (error: Error) => void) {
    this.lists = new ReadThread(file, onFatal);
    this.walks = new ReadThread(file, onFatal);
  }

  async close(): Promise<void> {
    await Promise.all([this.lists.close(), this.walks.close()]);
  }
}
