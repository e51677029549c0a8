import { monitorEventLoopDelay } from 'node:perf_hooks';

const NANOSECONDS = 1_000_000;

export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** How late the event loop is, in milliseconds, from one reading to the next. */
export class LoopDelayGauge {
  private readonly histogram = monitorEventLoopDelay({ resolution: 1 });

  constructor() {
    this.histogram.enable();
  }

  read(): LoopDelay {
    const [p50, p99, max] = [this.histogram.percentile(50), this.histogram.percentile(99), this.histogram.max].map(
      (ns) => ns / NANOSECONDS,
    );
    this.histogram.reset();
    return { p50: p50!, p99: p99!, max: max! };
  }
}
