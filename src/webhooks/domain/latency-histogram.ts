/** The number of requests by latency; a key is milliseconds, rounded to two digits. */
export type LatencyHistogram = Readonly<Record<string, number>>;

const EXACT_BELOW = 100;

export function addLatency(durations: LatencyHistogram, ms: number | null): LatencyHistogram {
  if (ms === null) return durations;
  const rounded = roundToTwoDigits(ms);
  return { ...durations, [rounded]: (durations[rounded] ?? 0) + 1 };
}

export function mergeHistograms(all: readonly LatencyHistogram[]): LatencyHistogram {
  const sums: Record<string, number> = {};
  for (const durations of all) for (const [ms, times] of Object.entries(durations)) sums[ms] = (sums[ms] ?? 0) + times;
  return sums;
}

/**
 * Returns the smallest latency that at least this share of the requests did not exceed; null for an empty histogram.
 */
export function computePercentile(durations: LatencyHistogram, share: number): number | null {
  const ordered = Object.entries(durations).map(([ms, times]) => [Number(ms), times] as const);
  ordered.sort(([a], [b]) => a - b);
  let left = Math.ceil(share * ordered.reduce((total, [, times]) => total + times, 0));
  for (const [ms, times] of ordered) {
    left -= times;
    if (left <= 0) return ms;
  }
  return null;
}

function roundToTwoDigits(ms: number): number {
  const step = ms < EXACT_BELOW ? 1 : 10 ** (String(Math.floor(ms)).length - 2);
  return Math.round(ms / step) * step;
}
