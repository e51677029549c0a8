export function computePercentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

export function computeMedian(values: readonly number[]): number {
  return computePercentile(values, 50);
}

/** Returns the median and the least value: the least one has the least disturbance by other processes. */
export function summarize(values: readonly number[]) {
  return { median: round(computeMedian(values)), least: round(Math.min(...values)) };
}

/** Rounds to three significant digits; more would be noise. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
