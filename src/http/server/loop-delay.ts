/** The mean delay of a window, so that a cold start or one long task sheds no load. */
const MAX_MEAN_DELAY_MS = 1_000;
/** One task counts at most so much. */
const MAX_DELAY_MS = 2_000;
const WINDOW_MS = 5_000;
const MIN_SAMPLES = 3;
/** The histogram of Node wakes an idle process a hundred times a second. */
const SAMPLE_INTERVAL_MS = 100;
/** The interval after a short delay: each sample wakes an idle process. */
const REST_INTERVAL_MS = 500;
const SHORT_DELAY_MS = 50;

/**
 * Measures the delay of the event loop. The ingress rejects requests while the delay is too long.
 * `@fastify/under-pressure` measures it with the histogram of Node.
 */
export class LoopDelay {
  isTooLong = false;
  private timer: NodeJS.Timeout;
  private interval = SAMPLE_INTERVAL_MS;
  private windowStart = performance.now();
  private sampledAt = this.windowStart;
  private sum = 0;
  private count = 0;
  private samples = 0;

  constructor() {
    this.timer = this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private schedule(): NodeJS.Timeout {
    return setTimeout(() => this.sample(), this.interval).unref();
  }

  private sample(): void {
    const now = performance.now();
    const delay = now - this.sampledAt - this.interval;
    this.sum += Math.min(delay, MAX_DELAY_MS);
    this.samples++;
    // A longer interval counts as several samples, so that one long task weighs the same in it.
    this.count += this.interval / SAMPLE_INTERVAL_MS;
    this.sampledAt = now;
    if (now - this.windowStart >= WINDOW_MS && this.samples >= MIN_SAMPLES) this.endWindow(now);
    this.interval = delay > SHORT_DELAY_MS ? SAMPLE_INTERVAL_MS : REST_INTERVAL_MS;
    this.timer = this.schedule();
  }

  private endWindow(now: number): void {
    this.isTooLong = this.sum / this.count > MAX_MEAN_DELAY_MS;
    this.windowStart = now;
    this.sum = this.count = this.samples = 0;
  }
}
