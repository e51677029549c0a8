import { percentile, rounded } from '../numbers.ts';

/** Of so many milliseconds, what half of them, and what all but a few, keep within. */
export function lagsOf(milliseconds: readonly number[]) {
  const within = (percent: number) => rounded(percentile(milliseconds, percent));
  return { p50_ms: within(50), p95_ms: within(95), p99_ms: within(99) };
}
