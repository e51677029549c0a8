import { monitorEventLoopDelay } from 'node:perf_hooks';
import { computeMedian, round } from './numbers.ts';

const NANOSECONDS = 1_000_000;

export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Returns the median of each figure of several readings. */
export function takeMedianDelays(delays: readonly LoopDelay[]): LoopDelay {
  const middle = (of: (delay: LoopDelay) => number) => round(computeMedian(delays.map(of)));
  return { p50: middle(({ p50 }) => p50), p99: middle(({ p99 }) => p99), max: middle(({ max }) => max) };
}

/** Measures the delay of the event loop in milliseconds, from one reading to the next. */
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
