import { computePercentile, round } from '../numbers.ts';

/** Returns percentiles of durations in milliseconds. */
export function toPercentiles(milliseconds: readonly number[]) {
  const within = (percent: number) => round(computePercentile(milliseconds, percent));
  return { p50_ms: within(50), p95_ms: within(95), p99_ms: within(99) };
}
