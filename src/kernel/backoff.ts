import type { Random } from './clock.js';

const BASE_MS = 20;
const CAP_MS = 5_000;

/**
 * Returns the delay after this number of consecutive failures. The delay doubles with each failure up to the cap. The
 * result is random between half of the delay and the whole, so that many clients do not retry at the same time.
 */
export function drawBackoff(failures: number, random: Random, baseMs = BASE_MS, capMs = CAP_MS): number {
  return Math.min(capMs, baseMs * 2 ** (failures - 1)) * (0.5 + random.next() / 2);
}
