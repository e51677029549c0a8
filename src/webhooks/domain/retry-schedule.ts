import { addMs } from '../../kernel/clock.js';

const MAX_JITTER_SHARE = 0.1;
const MAX_JITTER_SECONDS = 15 * 60;
const MAX_RETRY_AFTER_SECONDS = 24 * 3_600;

/** The settings that decide when an automatic attempt follows a failed one. */
export interface RetryPolicy {
  /**
   * The waiting times in seconds after the first, second, … automatic attempt. No automatic attempt follows the last
   * one.
   */
  readonly schedule: readonly number[];
  /** A random number for this wait: at least 0 and less than 1. */
  readonly jitter: number;
}

/** Returns the due time of the next automatic attempt, or null when the schedule has none after `attempts` attempts. */
export function scheduleNextAttempt(
  attempts: number,
  { schedule, jitter }: RetryPolicy,
  now: string,
  retryAfterSeconds: number | null,
): string | null {
  const wait = schedule[attempts - 1];
  if (wait === undefined) return null;
  const jittered = wait + Math.min(wait * MAX_JITTER_SHARE * jitter, MAX_JITTER_SECONDS);
  const seconds = Math.max(jittered, Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS));
  return addMs(now, Math.round(seconds * 1_000));
}
