import type { Random } from './clock.js';

const BASE_MS = 20;
const CAP_MS = 5_000;

/**
 * How long to wait after so many failures in a row: doubles with each up to the cap, and is drawn between half of that and the whole,
 * so that many do not come back at once.
 */
export function backoff(failures: number, random: Random, baseMs = BASE_MS, capMs = CAP_MS): number {
  return Math.min(capMs, baseMs * 2 ** (failures - 1)) * (0.5 + random.next() / 2);
}
