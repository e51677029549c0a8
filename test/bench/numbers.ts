export function computePercentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

export function computeMedian(values: readonly number[]): number {
  return computePercentile(values, 50);
}

/** Rounds to three significant digits; more would be noise. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
