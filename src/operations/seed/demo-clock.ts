import { SystemClock } from '../../kernel/clock.js';

/** Shows the time that was set. Delays and durations are real, but they end when the time is set. */
export class DemoClock extends SystemClock {
  private moved = new AbortController();

  constructor(private ms: number) {
    super();
  }

  override now(): number {
    return this.ms;
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { signal: moved } = this.moved;
    return super.sleep(ms, signal === undefined ? moved : AbortSignal.any([signal, moved]));
  }

  /** Workers look for jobs that are due at the new time. */
  set(ms: number): void {
    this.ms = ms;
    this.moved.abort();
    this.moved = new AbortController();
  }
}
