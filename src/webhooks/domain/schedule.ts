import { isoAfter } from '../../kernel/clock.js';

const MAX_JITTER_SHARE = 0.1;
const MAX_JITTER_SECONDS = 15 * 60;
const MAX_RETRY_AFTER_SECONDS = 24 * 3_600;

/** What decides when an automatic attempt follows a failed one. */
export interface Retries {
  /** Seconds to wait after the first, second … automatic attempt. When it is used up, so are the automatic attempts. */
  readonly schedule: readonly number[];
  /** The lot drawn for this wait: at least 0, below 1. */
  readonly jitter: number;
}

/** When the next automatic attempt is due, or null when `attempts` automatic ones were the last. */
export function nextAttemptAfter(
  attempts: number,
  { schedule, jitter }: Retries,
  now: string,
  retryAfterSeconds: number | null,
): string | null {
  const wait = schedule[attempts - 1];
  if (wait === undefined) return null;
  const jittered = wait + Math.min(wait * MAX_JITTER_SHARE * jitter, MAX_JITTER_SECONDS);
  const seconds = Math.max(jittered, Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS));
  return isoAfter(now, Math.round(seconds * 1_000));
}
