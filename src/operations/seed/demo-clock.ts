import { SystemClock } from '../../kernel/clock.js';

/**
 * Shows the latest time that was set, and the present until then. Delays and durations are real, but they end when a time
 * is set.
 */
export class DemoClock extends SystemClock {
  private moved = new AbortController();

  constructor(private ms: number | null = null) {
    super();
  }

  override now(): number {
    return this.ms ?? super.now();
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { signal: moved } = this.moved;
    return super.sleep(ms, signal === undefined ? moved : AbortSignal.any([signal, moved]));
  }

  /** Workers look for jobs that are due at the new time. The clock never goes back, as no clock of a service does. */
  set(ms: number): void {
    this.ms = Math.max(this.ms ?? ms, ms);
    this.moved.abort();
    this.moved = new AbortController();
  }
}
