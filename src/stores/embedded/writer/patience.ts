import { isBusy } from '../sqlite.js';

const PATIENCE_MS = 10_000;
const MIN_SLEEP_MS = 0.2;
const MAX_SLEEP_MS = 3;

const bed = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread. For worker threads only. */
export function sleep(ms: number): void {
  Atomics.wait(bed, 0, 0, ms);
}

/** Retries while another process holds the lock. The jitter gives every process a chance to get it. */
export function patiently<T>(work: () => T): T {
  for (const deadline = performance.now() + PATIENCE_MS; ;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      sleep(MIN_SLEEP_MS + Math.random() * (MAX_SLEEP_MS - MIN_SLEEP_MS));
    }
  }
}
