import type { Arrival } from './arrivals.ts';

/** The share of the requests during which the events are still being recorded. */
const RECORDING = 0.4;

/** Returns the requests per second after all events are recorded. */
export function computeRate(arrivals: readonly Arrival[]): number {
  if (arrivals.length === 0) return NaN;
  const measured = arrivals.slice(Math.floor(arrivals.length * RECORDING));
  return ((measured.length - 1) * 1_000) / (measured.at(-1)!.at - measured[0]!.at);
}
