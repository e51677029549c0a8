import { isBusy } from '../sqlite.js';

const TIMEOUT_MS = 10_000;
const MIN_SLEEP_MS = 0.2;
const MAX_SLEEP_MS = 3;

const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread. For worker threads only. */
export function sleepSync(ms: number): void {
  Atomics.wait(sleepCell, 0, 0, ms);
}

/** Retries while another process holds the lock. The jitter gives every process a chance to get it. */
export function retryWhileBusy<T>(work: () => T): T {
  for (const deadline = performance.now() + TIMEOUT_MS; ;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      sleepSync(MIN_SLEEP_MS + Math.random() * (MAX_SLEEP_MS - MIN_SLEEP_MS));
    }
  }
}
