import { SystemClock } from '../../kernel/clock.js';

/** Shows the time that was set. Delays and durations are real. */
export class DemoClock extends SystemClock {
  private ms: number;

  constructor(startMs: number) {
    super();
    this.ms = startMs;
  }

  override now(): number {
    return this.ms;
  }

  set(ms: number): void {
    this.ms = ms;
  }
}
