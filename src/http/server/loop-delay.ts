/** The mean delay of a window, so that a cold start or one long task sheds no load. */
const MAX_MEAN_DELAY_MS = 1_000;
const WINDOW_MS = 5_000;
/** The histogram of Node wakes an idle process a hundred times a second. */
const SAMPLE_INTERVAL_MS = 100;

/** Measures the delay of the event loop. The ingress rejects requests while the delay is too long. */
export class LoopDelay {
  isTooLong = false;
  private readonly timer: NodeJS.Timeout;
  private windowStart = performance.now();
  private sampledAt = this.windowStart;
  private sum = 0;
  private count = 0;

  constructor() {
    this.timer = setInterval(() => this.sample(), SAMPLE_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const now = performance.now();
    this.sum += now - this.sampledAt - SAMPLE_INTERVAL_MS;
    this.count++;
    this.sampledAt = now;
    if (now - this.windowStart >= WINDOW_MS) this.endWindow(now);
  }

  private endWindow(now: number): void {
    this.isTooLong = this.sum / this.count > MAX_MEAN_DELAY_MS;
    this.windowStart = now;
    this.sum = this.count = 0;
  }
}
