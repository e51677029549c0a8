import { addMs, DAY_MS } from '../../kernel/clock.js';

/** The days from the first failed attempt to the later attempts. */
const RETRY_DAYS = [2, 7, 14, 21];

/** Returns the time of the attempt after this many failed ones; null when no attempt is left. */
export function findNextRetry(firstFailedAt: string, failedAttempts: number): string | null {
  const days = RETRY_DAYS[failedAttempts - 1];
  return days === undefined ? null : addMs(firstFailedAt, days * DAY_MS);
}
